import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { cpuQuota, threadCount } from '../../../models/threads.ts';

/** Runs `body` with a folder that holds `files`, as a system's root. */
function withRoot(files: Record<string, string>, body: (root: string) => void): void {
  const root = mkdtempSync(join(tmpdir(), 'causeway-threads-'));
  try {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content);
    }
    body(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('one processor is left free where there are more than two', () => {
  withRoot({}, (root) => {
    assert.deepEqual(
      [1, 2, 3, 4, 16].map((processors) => threadCount({ processors, root })),
      [1, 2, 2, 3, 15],
    );
  });
});

test('a quota of control groups version 2 holds', () => {
  const files = { 'proc/self/cgroup': '0::/user/job\n', 'sys/fs/cgroup/user/job/cpu.max': '200000 100000\n' };
  withRoot(files, (root) => {
    assert.equal(cpuQuota(root), 2);
    assert.equal(threadCount({ processors: 16, root }), 2);
  });
});

test('the narrowest quota of a group and those above it holds', () => {
  withRoot(
    {
      'proc/self/cgroup': '0::/outer/inner\n',
      'sys/fs/cgroup/outer/inner/cpu.max': 'max 100000\n',
      'sys/fs/cgroup/outer/cpu.max': '150000 100000\n',
      'sys/fs/cgroup/cpu.max': '800000 100000\n',
    },
    (root) => {
      assert.equal(cpuQuota(root), 1.5);
      assert.equal(threadCount({ processors: 8, root }), 1);
    },
  );
});

test('a container that sees its group as the root reads the quota at the mount', () => {
  withRoot({ 'proc/self/cgroup': '0::/../..\n', 'sys/fs/cgroup/cpu.max': '400000 100000\n' }, (root) => {
    assert.equal(threadCount({ processors: 64, root }), 3);
  });
});

test('a quota of control groups version 1 holds, wherever its controller is mounted', () => {
  const groups = '12:memory:/box\n4:cpu,cpuacct:/box\n1:name=systemd:/box\n';
  for (const mount of ['cpu,cpuacct', 'cpu']) {
    withRoot(
      {
        'proc/self/cgroup': groups,
        [`sys/fs/cgroup/${mount}/box/cpu.cfs_quota_us`]: '50000\n',
        [`sys/fs/cgroup/${mount}/box/cpu.cfs_period_us`]: '100000\n',
      },
      (root) => {
        assert.equal(cpuQuota(root), 0.5);
        assert.equal(threadCount({ processors: 8, root }), 1);
      },
    );
  }
});

test('no quota is no limit: max, -1, damaged and missing files', () => {
  const limits: Record<string, string>[] = [
    { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': 'max 100000\n' },
    {
      'proc/self/cgroup': '3:cpu:/\n',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
    { 'proc/self/cgroup': 'nonsense\n0::/\n', 'sys/fs/cgroup/cpu.max': 'nonsense\n' },
    {},
  ];
  for (const files of limits) {
    withRoot(files, (root) => {
      assert.equal(cpuQuota(root), undefined);
      assert.equal(threadCount({ processors: 4, root }), 3);
    });
  }
});

test('on this machine the count is at least one and no more than there are processors', () => {
  const count = threadCount();
  assert.ok(count >= 1 && count <= availableParallelism());
});
