import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

export interface ThreadCountOptions {
  /** Processors that this process may run on; by default what the affinity mask allows. */
  readonly processors?: number;
  /** Where the system's files are read, for tests; by default the file system's root. */
  readonly root?: string;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // No such file: another system, or a group without that controller.
  }
}

/** A group's folder and all above it: each may set a quota, the narrowest holds. */
function folders(mount: string, group: string): string[] {
  const names = group.split('/').filter((name) => name !== '' && name !== '..');
  return [...names, ''].map((_, depth) => join(mount, ...names.slice(0, depth)));
}

/** Version 2: cpu.max holds "quota period" or "max period". */
function unifiedQuota(folder: string): number | undefined {
  const [quota, period] = (read(join(folder, 'cpu.max')) ?? '').split(/\s+/).map(Number);
  return quota && period ? quota / period : undefined;
}

/** Version 1: a quota of -1 is none. */
function legacyQuota(folder: string): number | undefined {
  const quota = Number(read(join(folder, 'cpu.cfs_quota_us')));
  const period = Number(read(join(folder, 'cpu.cfs_period_us')));
  return quota > 0 && period > 0 ? quota / period : undefined;
}

/**
 * The processors' worth of time that control groups grant this process, in both versions of their files;
 * undefined where there is no limit (or no control groups).
 */
export function cpuQuota(root = '/'): number | undefined {
  const quotas: (number | undefined)[] = [];
  for (const line of (read(join(root, 'proc/self/cgroup')) ?? '').split('\n')) {
    const [, id, controllers, group] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (id === undefined || controllers === undefined || group === undefined) continue;
    if (id === '0' && controllers === '') {
      quotas.push(...folders(join(root, 'sys/fs/cgroup'), group).map(unifiedQuota));
    } else if (controllers.split(',').includes('cpu')) {
      for (const mount of [controllers, 'cpu']) {
        quotas.push(...folders(join(root, 'sys/fs/cgroup', mount), group).map(legacyQuota));
      }
    }
  }
  const limits = quotas.filter((quota) => quota !== undefined);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/**
 * How many threads a model may compute with: what affinity and control groups both allow, one left free for the
 * editor where there are more than two, at least one. A runtime's own default counts the machine's processors, and
 * threads beyond a quota wait for each other: four on two cores were measured over a hundred times slower.
 */
export function threadCount(options: ThreadCountOptions = {}): number {
  const processors = options.processors ?? availableParallelism();
  const usable = Math.max(1, Math.floor(Math.min(processors, cpuQuota(options.root) ?? processors)));
  return usable > 2 ? usable - 1 : usable;
}
