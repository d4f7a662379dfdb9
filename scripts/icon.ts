/** `npm run build:icon`: draws client/logo.svg as client/logo.png, which the marketplace shows, with the tests' browser. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { ensureBrowser } from './browser.ts';

const SIZE = 256;
const folder = path.resolve(import.meta.dirname, '..', 'client');

const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  const source = readFileSync(path.join(folder, 'logo.svg'), 'utf8');
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${source}`);
  await page.screenshot({ path: path.join(folder, 'logo.png'), omitBackground: true });
} finally {
  await browser.close();
}
