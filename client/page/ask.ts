/** The page of the view "Ask". Every text is put in as text, never as mark-up. */
import type { FromAskPage, ToAskPage } from './protocol.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromAskPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const api = acquireVsCodeApi();
const field = element('textarea', {
  rows: '3',
  'aria-label': 'Question',
  placeholder: 'Why did …? What follows from …?',
});
const button = element('button', { type: 'submit', class: 'primary' }, 'Ask');
const stop = element('button', { type: 'button', class: 'secondary' }, 'Stop');
const form = element('form', {}, field, element('div', { class: 'row' }, button, stop));
const doing = element('p', { class: 'doing', role: 'status' });
const empty = element('div', { class: 'empty' });
const title = element('h2', { id: 'past' }, 'Asked before');
const list = element('ul', { 'aria-labelledby': 'past' });
let state: Extract<ToAskPage, { kind: 'state' }> = { kind: 'state', history: [], asking: null, folder: true };

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function action(label: string, kind: 'open-folder' | 'sample', look: string): HTMLButtonElement {
  const made = element('button', { type: 'button', class: look }, label);
  made.addEventListener('click', () => api.postMessage({ kind }));
  return made;
}

function ask(): void {
  const question = field.value.trim();
  if (question !== '' && state.folder) api.postMessage({ kind: 'ask', question });
}

function draw(): void {
  const { history, asking, folder } = state;
  form.hidden = !folder;
  button.disabled = field.value.trim() === '';
  stop.hidden = asking === null;
  doing.textContent = asking === null ? '' : `Asking: ${asking}`;
  empty.hidden = folder;
  title.hidden = list.hidden = history.length === 0;
  list.replaceChildren(
    ...history.map(({ question, when }) => {
      const again = element(
        'button',
        { type: 'button', class: 'past', title: `Ask again. Last asked ${when}` },
        question,
      );
      again.addEventListener('click', () => {
        field.value = question;
        ask();
        draw();
      });
      const forget = element(
        'button',
        { type: 'button', class: 'forget', 'aria-label': `Forget: ${question}`, title: 'Forget' },
        '×',
      );
      forget.addEventListener('click', () => api.postMessage({ kind: 'forget', question }));
      return element('li', {}, again, forget);
    }),
  );
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});
field.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  ask();
});
field.addEventListener('input', () => {
  api.setState(field.value);
  button.disabled = field.value.trim() === '';
});
stop.addEventListener('click', () => api.postMessage({ kind: 'cancel' }));
window.addEventListener('message', ({ data }: MessageEvent<ToAskPage>) => {
  if (data.kind === 'state') state = data;
  else {
    if (data.question !== undefined) field.value = data.question;
    field.focus();
  }
  draw();
});

empty.append(
  element('p', {}, 'Open a folder of notes, papers or reports to ask about.'),
  action('Open Folder', 'open-folder', 'primary'),
  action('Try the Sample', 'sample', 'secondary'),
);
document.getElementById('ask')!.append(form, doing, empty, title, list);
const kept = api.getState();
if (typeof kept === 'string') field.value = kept;
draw();
api.postMessage({ kind: 'ready' });
