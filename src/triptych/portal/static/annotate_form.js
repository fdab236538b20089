// A plain form: a field for each of the task's, by its kind.

/** @type {(kind: FieldKind) => boolean} */
const JSON_KIND = (kind) => typeof kind === "object" && !Array.isArray(kind);

/** @type {(root: HTMLElement, desk: Desk) => Editor} */
export function form(root, { state, draft, say, changed }) {
  const fields = Object.entries(state.form).map(([name, kind], place) => {
    const id = `field-${place}`;
    const label = document.createElement("label");
    label.htmlFor = id;
    label.textContent = (state.labels?.[name] ?? name) + (kind === "list" ? ` (${say("one-per-line")})` : JSON_KIND(kind) ? ` (${say("as-json")})` : "");
    const input = /** @type {HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement} */ (document.createElement(Array.isArray(kind) ? "select" : kind === "number" ? "input" : "textarea"));
    input.id = id;
    if (kind === "number") { input.setAttribute("type", "number"); input.step = "any"; }
    if (Array.isArray(kind)) for (const [value, text] of [["", say("choose")], ...kind.map((one, at) => [String(at), String(one)])]) input.append(new Option(text, value));
    if (input.tagName === "TEXTAREA") input.rows = kind === "text" ? 3 : 5;
    input.value = draft.extra?.[name] ?? "";
    input.addEventListener("input", () => changed());
    const box = document.createElement("p");
    box.className = "field";
    box.append(label, input);
    root.append(box);
    return { name, kind, input };
  });

  /** @type {(field: { kind: FieldKind, input: HTMLInputElement }) => unknown} */
  const valueOf = ({ kind, input }) => {
    const text = input.value.trim();
    if (!text) return undefined;
    if (Array.isArray(kind)) return kind[Number(text)];
    if (kind === "number") return Number(text);
    if (kind === "list") return text.split("\n").map((line) => line.trim()).filter(Boolean);
    if (JSON_KIND(kind)) try { return JSON.parse(text); } catch { return undefined; }
    return input.value;
  };
  return {
    answers: () => Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]).filter(([, value]) => value !== undefined)),
    extra: () => Object.fromEntries(fields.map(({ name, input }) => [name, input.value])),
    missing: () => "",
    begun: () => fields.some(({ input }) => input.value.trim()),
    go: () => {},
    mark: () => {},
    press: () => false,
  };
}
