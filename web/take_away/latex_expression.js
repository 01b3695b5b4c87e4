/**
 * The arithmetic of a line as LaTeX. It is read as model/working/expression.py writes it:
 *
 *     sum     = product ((" + " | " − ") product)*
 *     product = power (("×" | " ÷ ") power)*
 *     power   = atom (superscript digits)?
 *     atom    = number | "(" sum ")" | name "(" sum (", " sum)* ")" | "√" atom
 *
 * The numbers stay as they are, in their order; ÷ becomes a fraction.
 */

const TOKEN = /\s*(\d+(?:\.\d+)?|NaN|∞|\?|[a-z]+(?=\()|[+−×÷√(),]|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/uy;
const NUMBER = /^(\d|NaN|∞|\?)/;
const RAISED = /^[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/u;
const NAMES = { exp: "\\exp", ln: "\\ln", max: "\\max", erf: "\\operatorname{erf}" };
export const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** LaTeX (math mode) of an expression. Throws where it is none. */
export function latexOf(expression) {
  return termsOf(expression).join(" ");
}

/** The terms of a line's outermost sum, each with its sign before it. */
export function termsOf(expression) {
  const reader = createReader(expression);
  const terms = readTerms(reader);
  if (!reader.isDone()) throw new Error(`not read: ${expression}`);
  return terms;
}

function createReader(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`not read from ${at} on: ${text}`);
    tokens.push(found[1]);
  }
  let next = 0;
  return {
    isDone: () => next === tokens.length,
    sees: (...kinds) => kinds.includes(tokens[next]),
    peek: () => tokens[next] ?? "",
    take: () => tokens[next++] ?? "",
    expect(token) {
      if (tokens[next++] !== token) throw new Error(`${token} is missing: ${text}`);
    },
  };
}

function readTerms(reader) {
  const terms = [];
  do {
    const sign = terms.length ? { "+": "+ ", "−": "- " }[reader.take()] : "";
    terms.push(sign + readProduct(reader).text);
  } while (reader.sees("+", "−"));
  return terms;
}

function readSum(reader) {
  return readTerms(reader).join(" ");
}

/** `bare`: the text without the brackets around all of it, for a fraction or a root. */
function readProduct(reader) {
  let left = readPower(reader);
  while (reader.sees("×", "÷")) {
    const sign = reader.take();
    const right = readPower(reader);
    const text = sign === "×" ? `${left.text} \\times ${right.text}` : `\\frac{${left.bare}}{${right.bare}}`;
    left = { text, bare: text };
  }
  return left;
}

function readPower(reader) {
  if (reader.sees("−")) {
    reader.take();
    const { text } = readPower(reader);
    return { text: `-${text}`, bare: `-${text}` };
  }
  const base = readAtom(reader);
  return RAISED.test(reader.peek()) ? plain(`${base.text}^{${ordinary(reader.take())}}`) : base;
}

function readAtom(reader) {
  if (reader.sees("(")) return readBrackets(reader);
  if (reader.sees("√")) {
    reader.take();
    return plain(`\\sqrt{${readAtom(reader).bare}}`);
  }
  const token = reader.take();
  if (NUMBER.test(token)) return plain({ "∞": "\\infty", NaN: "\\text{NaN}" }[token] ?? token);
  if (!(token in NAMES)) throw new Error(`no number: ${token}`);
  reader.expect("(");
  const values = [readSum(reader)];
  while (reader.sees(",")) {
    reader.take();
    values.push(readSum(reader));
  }
  reader.expect(")");
  return plain(`${NAMES[token]}\\left(${values.join(", ")}\\right)`);
}

function readBrackets(reader) {
  reader.expect("(");
  const bare = readSum(reader);
  reader.expect(")");
  return { text: `\\left(${bare}\\right)`, bare };
}

function plain(text) {
  return { text, bare: text };
}

function ordinary(superscript) {
  return [...superscript].map((sign) => (sign === "⁻" ? "-" : SUPERSCRIPT.indexOf(sign))).join("");
}
