/** `npm run package`: builds, and packs causeway-PLATFORM-VERSION.vsix into out/. Prints its path and size. */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createVSIX, listFiles } from '@vscode/vsce';
import { buildAll } from './build.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Bytes; above it the package holds something it should not. */
const LIMIT = 150 * 1024 * 1024;
const UNWANTED = /\.map$|(^|\/)(test|training)\/|\.ts$|\.vsix$/;

/**
 * Builds and packs the extension for this platform.
 * @returns the package's path
 * @throws Error when it holds what it should not, or too much
 */
export async function packageExtension(): Promise<string> {
  await buildAll();
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = `${process.platform}-${process.arch}`;
  const packagePath = path.join(root, 'out', `causeway-${target}-${version}.vsix`);
  mkdirSync(path.dirname(packagePath), { recursive: true });
  const files = await listFiles({ cwd: root });
  const unwanted = files.filter((file) => UNWANTED.test(file));
  if (unwanted.length > 0)
    throw new Error(`The package would hold ${unwanted.slice(0, 5).join(', ')}: see .vscodeignore.`);
  await createVSIX({
    cwd: root,
    packagePath,
    target,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
    skipLicense: false,
  });
  const { size } = statSync(packagePath);
  if (size > LIMIT) throw new Error(`${packagePath} has ${megabytes(size)}, more than ${megabytes(LIMIT)}.`);
  return packagePath;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

if (import.meta.main) {
  const file = await packageExtension();
  console.log(`${path.relative(root, file)} (${megabytes(statSync(file).size)})`);
}
