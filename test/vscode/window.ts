/** A window of the served VS Code in a browser, driven as a person drives it. */
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // Chromium gives a page that nobody sees the least of the machine.
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
/** Milliseconds after which a test gives up. A slow machine is no fault: nothing is asserted by it. */
export const PATIENCE = 600_000;

export async function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

export class Window {
  readonly page: Page;
  readonly requests: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE);
    page.on('request', (request) => this.requests.push(request.url()));
  }

  /** Opens a folder or a .code-workspace; waits until the workbench is there. */
  static async open(
    context: BrowserContext,
    url: string,
    target: { folder?: string; workspace?: string; payload?: string } = {},
    prepare: (page: Page) => Promise<void> = async () => {},
  ): Promise<Window> {
    const window = new Window(await context.newPage());
    await prepare(window.page);
    const query = target.folder
      ? `?folder=${target.folder}`
      : target.workspace
        ? `?workspace=${target.workspace}`
        : '?ew=true';
    await window.page.goto(
      `${url}/${query}${target.payload ? `&payload=${encodeURIComponent(target.payload)}` : ''}`,
    );
    await window.ready();
    return window;
  }

  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await this.page
      .locator('[id="causeway.causeway.causeway.status"], [id="status.host"]')
      .first()
      .waitFor({ state: 'attached' });
  }

  /** Runs a command by its title; tries again until the command is there, since the list is fixed when it opens. */
  async command(title: string): Promise<void> {
    for (let tries = 0; tries < 60; tries++) {
      await this.page.keyboard.press('F1');
      const input = this.page.locator('.quick-input-widget input.input');
      const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
      try {
        // It closes when something else takes the focus meanwhile.
        await input.fill(`>${title}`, { timeout: 3000 });
        await row.click({ timeout: 3000 });
        return;
      } catch {
        await this.page.keyboard.press('Escape');
        await this.page.waitForTimeout(300);
      }
    }
    throw new Error(`The palette has no command "${title}".`);
  }

  /** Answers the input box that is open. */
  async type(text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input.input');
    await input.waitFor();
    await input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  async ask(question: string): Promise<void> {
    await this.command('Causeway: Ask a Question');
    await this.type(question);
  }

  /** The frame that holds an element: pages of webviews lie two frames deep and come and go. */
  async frame(selector: string): Promise<Frame> {
    for (let tries = 0; tries < PATIENCE / 250; tries++) {
      for (const frame of this.page.frames()) {
        if ((await frame.$(selector).catch(() => null)) !== null) return frame;
      }
      await this.page.waitForTimeout(250);
    }
    throw new Error(`No frame of the window holds ${selector}.`);
  }

  /** The page of the graph. */
  graph(): Promise<Frame> {
    return this.frame('main#causeway');
  }

  /** Waits until the status bar's item shows what is asked for. */
  async statusShows(part: string, pattern: RegExp): Promise<string> {
    const item = this.page.locator(`.statusbar-item[id*="${part}"]`, { hasText: pattern });
    await item.first().waitFor();
    return ((await item.first().textContent()) ?? '').trim();
  }
}
