// Types that the scripts of the pages share. They are read only by the checks of this folder; browsers get the scripts as they are.

type Values = Record<string, string | number>;
type Say = (name: string, values?: Values) => string;
type Span = [number, number];

// --- portal/static/outbox.js: what is kept in the browser until the server has it

interface Entry {
  id: string;
  kind: "recording" | "review" | "annotation" | "survey";
  state: "probe" | "draft" | "kept" | "refused";
  person: string;
  queue: string;
  task: number;
  title: string;
  at: number;
  address?: string;
  body?: any; // JSON: what it holds depends on the kind
  wav?: Blob;
  sha256?: string;
  facts?: Facts;
  why?: string;
  status?: number;
  stranger?: boolean;
}
interface Draft extends Entry {
  answers: any; // of the editor that the task has
  extra: any;
  seconds: number;
  tried: boolean;
  opened?: boolean;
}
interface Problem { problem?: string; message?: string; remarks?: Remark[]; counters: Counter[]; passes: boolean }
type Delivery = {
  outcome: "sent" | "again" | "session" | "gone" | "refused";
  why: string;
  receipt?: { id: string; sha256?: string };
  entry: Entry; // of a refusal: the entry with its reason
  told?: Problem | null;
};

// --- portal/static/sound.js and worklet.js

interface Block { number: number; frame: number; samples: Float32Array; last: boolean }
interface Facts { frames: number; rate: number; blocks: number; lost: number; milliseconds: number; worked?: number }
interface Listener { onCue: () => void; onLevel: (samples: Float32Array) => void }

// Names that only the scope of an AudioWorklet has.
declare const currentFrame: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
  constructor(options?: unknown);
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

// --- portal/static/annotate*.js

interface Remark { at: number | null; message: string; blocks: boolean }
interface Counter { name: string; count: number; wanted: number }
interface Findings { remarks: Remark[]; counters: Counter[]; passes: boolean; yours?: boolean }
interface Question { question: string; answer: string; type: string; origin: string; begin: string; end: string; [name: string]: string }
interface AnnotationState {
  say: Record<string, string>;
  token: string;
  person: string;
  queue: string;
  task: number;
  base: string;
  editor: "" | "questions" | "translation" | "transcript" | "form";
  answers: any;
  sent: boolean;
  abstract_first: number;
  form: Record<string, FieldKind>;
  field: string;
  source: string[] | null;
  draft: string[];
  more?: string[];
  labels?: Record<string, string>;
  times: (number | null)[];
  general: string[];
  types: string[];
  origins: string[];
  no_answer: string;
  video: boolean;
}
type FieldKind = "text" | "number" | "list" | (string | number | boolean)[] | Record<string, unknown>;
interface Desk {
  state: AnnotationState;
  draft: Draft;
  talk: import("/static/timeline.js").Timeline | null;
  say: Say;
  changed: (how?: { checked?: boolean }) => void;
}
interface Editor {
  answers: () => any;
  extra: () => any;
  missing: () => string;
  begun: (at: number | null) => boolean;
  go: (at: number) => void;
  mark: (remarks: Remark[]) => void;
  press: (event: KeyboardEvent) => boolean;
}

// --- the document, as the pages use it: what they look for are HTML elements, and keys and input come from elements

interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector(selectors: "audio, video"): HTMLMediaElement | null;
  querySelector(selectors: "input, textarea"): HTMLInputElement | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll(selectors: "audio, video"): NodeListOf<HTMLMediaElement>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  closest(selectors: string): HTMLElement | null;
}
interface KeyboardEvent { readonly target: HTMLElement }

// --- docs/assets: what mkdocs-material gives to scripts
declare const document$: { subscribe: (act: () => void) => void };

interface Row {
  draft: string;
  time: number | null;
  confirmed: boolean;
  box: HTMLElement;
  input: HTMLTextAreaElement;
  sign: HTMLElement;
  play: HTMLButtonElement;
  head: HTMLElement;
  remarks: HTMLElement;
  source?: HTMLElement;
}
interface Card {
  one: Question;
  box: HTMLElement;
  given: boolean;
  begin: HTMLInputElement | HTMLTextAreaElement;
  end: HTMLInputElement | HTMLTextAreaElement;
  question: HTMLInputElement | HTMLTextAreaElement;
  answer: HTMLInputElement | HTMLTextAreaElement;
  title: HTMLElement;
  remarks: HTMLElement;
  up: HTMLButtonElement;
  down: HTMLButtonElement;
  marks?: HTMLButtonElement[];
  before?: string;
}

// --- the elements of a page by their ids: what the template always has; a page without work on it lacks some, and the script asks first

interface RecordParts {
  clip: HTMLElement;
  "clip-title": HTMLElement;
  desk: HTMLElement;
  go: HTMLButtonElement;
  keep: HTMLButtonElement;
  lacking: HTMLElement;
  left: HTMLElement;
  level: HTMLMeterElement;
  listen: HTMLAudioElement;
  redo: HTMLButtonElement;
  state: HTMLElement;
  "try-go": HTMLButtonElement;
  "try-heard": HTMLAudioElement;
  "try-result": HTMLElement;
  warning: HTMLElement;
}
interface SurveyParts {
  answer: HTMLFormElement;
  decline: HTMLButtonElement | null;
  stage: HTMLElement;
  "stage-title": HTMLElement;
  state: HTMLElement;
  warning: HTMLElement;
}
interface ReviewParts { problem: HTMLElement; state: HTMLElement; submit: HTMLButtonElement }
interface AnnotateParts {
  arrived: HTMLElement;
  counters: HTMLElement | null;
  desk: HTMLElement;
  discard: HTMLButtonElement;
  editor: HTMLElement;
  first: HTMLElement | null;
  "first-open": HTMLButtonElement;
  pictures: HTMLVideoElement | null;
  remarks: HTMLElement;
  send: HTMLButtonElement;
  state: HTMLElement;
  status: HTMLElement;
  talk: HTMLElement | null;
  warning: HTMLElement;
}
type Settings = Record<string, string>; // the data of an element whose template always writes them

// --- reports/html/templates/report.js: the questions behind the figures of a chapter, as the report writes them

type ChapterUnit = [id: string, item: string, task: number, facet: number, reply: string, target: string, targets: number, repeat: number];
type Shown = [metric: string, unit: number, status: number, value: number | null, extraction: string];
interface ChapterRun { slug: string; count: number; units: ChapterUnit[]; scores: Record<string, Record<string, [number, number, number | null, string][]>> }
interface Chapter {
  tasks: string[];
  main: Record<string, string>;
  facets: Record<string, string>[];
  statuses: string[];
  lower: string[];
  runs: Record<string, ChapterRun>;
}
