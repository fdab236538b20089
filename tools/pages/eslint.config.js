// The linter's rules for the scripts of the pages: mistakes, not style.
import js from "@eslint/js";
import globals from "globals";

const pages = ["**/src/triptych/**/*.js", "**/docs/assets/*.js"];

export default [
  { files: pages, ...js.configs.recommended },
  {
    files: pages,
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, document$: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-restricted-properties": ["error", ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property, message: "Text from people and models is set as textContent." }))],
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-unused-expressions": "error",
      "no-var": "error",
      "prefer-const": "error",
      "require-await": "error",
    },
  },
  { files: ["**/worklet.js"], languageOptions: { globals: globals.audioWorklet } },
];
