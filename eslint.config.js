import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["web/bundle/", "node_modules/", "dist/", "out/", ".venv*/"] },
  js.configs.recommended,
  {
    files: ["web/**/*.js"],
    languageOptions: { globals: globals.browser },
    linterOptions: { noInlineConfig: true },
    rules: {
      // A name that was forgotten would be the window's own.
      "no-restricted-globals": [
        "error", "top", "name", "event", "length", "status", "parent", "open", "close", "closed", "find", "stop",
        "origin", "screen", "frames", "focus", "blur", "print", "scroll", "history", "external", "opener",
      ],
      // Text never becomes HTML or code, and no comment in a file can allow it.
      "no-restricted-properties": [
        "error",
        { property: "innerHTML" },
        { property: "outerHTML" },
        { property: "insertAdjacentHTML" },
        { property: "createContextualFragment" },
        { property: "srcdoc" },
        { object: "document", property: "write" },
        { object: "document", property: "writeln" },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "Literal[value=/javascript:|srcdoc|innerHTML|outerHTML/i]", message: "Text becomes HTML or code." },
        { selector: "TemplateElement[value.raw=/javascript:|srcdoc/i]", message: "Text becomes HTML or code." },
      ],
    },
  },
  {
    files: ["web/static/vocabulary.js"],
    rules: { "no-control-regex": "off" }, // it lists what Python's isspace() accepts
  },
  {
    files: ["tests/**/*.js", "export/**/*.{js,mjs}", "tools/**/*.mjs", "bench/**/*.{js,mjs}", "*.js"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  {
    rules: {
      "eqeqeq": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "max-lines-per-function": ["error", { max: 80, skipComments: true, skipBlankLines: true }],
    },
  },
];
