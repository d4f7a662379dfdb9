/** Finds a Chromium for the tests that need a page, or installs Debian's where it may. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Path of a browser. CAUSEWAY_CHROMIUM names one; otherwise the usual places are tried, and as root on a Debian system
 * the package is installed.
 * @throws Error that says how to get one
 */
export function ensureBrowser(): string {
  const named = process.env['CAUSEWAY_CHROMIUM'];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CAUSEWAY_CHROMIUM names ${named}, which does not exist.`);
  }
  const found = () => CANDIDATES.find((candidate) => existsSync(candidate));
  const present = found();
  if (present) return present;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.error('No browser found: installing chromium and a font from the system packages …');
    const apt = (...args: string[]) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt('update', '-q');
    apt('install', '-q', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core');
    const installed = found();
    if (installed) return installed;
  }
  throw new Error(
    'The tests of the panel need Chromium or Chrome. Install it (Debian, Ubuntu: apt-get install chromium), or set ' +
      'CAUSEWAY_CHROMIUM to the path of its program.',
  );
}
