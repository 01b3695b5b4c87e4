// What Node and the page do with transformers.js: `generating(library, name)` opens the folder and
// returns a function from questions to answers. See transformers_js.py.

export async function generating({ pipeline, Tensor }, name) {
  const generator = await pipeline("text-generation", name);

  function int64(rows) {
    const flat = rows.flat().map(BigInt);
    return new Tensor("int64", BigInt64Array.from(flat), [rows.length, rows[0].length]);
  }

  async function logits(rows) {
    const ones = rows.map((row) => row.map(() => 1));
    const given = { input_ids: int64(rows), attention_mask: int64(ones) };
    return (await generator.model(given)).logits.tolist();
  }

  async function continued(prompt, length) {
    const words = generator.tokenizer(prompt).input_ids.dims.at(-1);
    const [{ generated_text: text }] = await generator(prompt, { max_new_tokens: length - words });
    return text;
  }

  return async ({ rows, prompts, length }) => {
    if (rows) return logits(rows);
    const texts = [];
    for (const prompt of prompts ?? []) texts.push(await continued(prompt, length));
    return texts;
  };
}
