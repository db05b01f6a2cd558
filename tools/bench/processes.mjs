// Reads the resource usage of processes from the operating system. Works on Linux only; on other systems, the result is
// null ("n/a").
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const isLinux = process.platform === 'linux';
const MICROSECONDS_PER_TICK = isLinux ? 1e6 / Number(execFileSync('getconf', ['CLK_TCK']).toString()) : 0;

/**
 * Returns the fields of /proc/<pid>/stat after the name, which may contain blanks and brackets. The first one is the
 * state.
 */
function stat(pid) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Returns the processor time of one process in microseconds: all its threads, user and system. */
export function readProcessorTime(pid) {
  if (!isLinux) return null;
  const fields = stat(pid);
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
}

/** Returns the processor time of PostgreSQL: the postmaster, its running children, and those that have ended. */
export function cpuOfFamily(pid) {
  if (!isLinux) return null;
  let ticks = 0;
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = stat(name);
      const isPostmaster = Number(name) === pid;
      if (!isPostmaster && Number(fields[1]) !== pid) continue;
      const counted = isPostmaster ? fields.slice(11, 15) : fields.slice(11, 13);
      for (const count of counted) ticks += Number(count);
    } catch {
      // The process has just ended. From now on, its time is part of the postmaster's.
    }
  }
  return ticks * MICROSECONDS_PER_TICK;
}

/** Returns the resident memory of one process in MB. */
export function readResidentMemory(pid) {
  if (isLinux) return Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  try {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024;
  } catch {
    return null;
  }
}

/** Returns the ids of a process and of its running descendants. */
function listFamily(pid) {
  const parents = new Map();
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(stat(name)[1]));
    } catch {
      // The process has just ended.
    }
  }
  const family = new Set([pid]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child);
  }
  return [...family];
}

/**
 * Returns the memory of a process and its descendants in MB, or null if the system does not report it. `once` counts
 * shared memory once: the private pages of each process, and for each shared mapping the largest part that one process
 * has. PostgreSQL's buffers and Node's code therefore count once. Other processes on the machine do not affect the
 * result, unlike the system's proportional share (PSS). `rss` counts a shared page once per process.
 */
export function memoryOfFamily(pid) {
  if (!isLinux) return null;
  const sum = { once: 0, rss: 0, processes: 0 };
  const shared = new Map();
  for (const member of listFamily(pid)) {
    sum.processes += 1;
    for (const mapping of readMappings(member)) {
      sum.once += mapping.private;
      sum.rss += mapping.private + mapping.shared;
      shared.set(mapping.what, Math.max(shared.get(mapping.what) ?? 0, mapping.shared));
    }
  }
  for (const most of shared.values()) sum.once += most;
  return sum;
}

/**
 * Yields the mappings of a process with their sizes in MB. A mapping is identified by its file and offset, or by its
 * address.
 */
function* readMappings(pid) {
  const text = fs.readFileSync(`/proc/${pid}/smaps`, 'utf8');
  for (const part of text.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
    const [, start, offset, inode] = /^([0-9a-f]+)-\S+ \S+ (\S+) \S+ (\d+)/.exec(part);
    const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(part)?.[1] ?? 0) / 1024;
    yield {
      what: inode === '0' ? start : `${inode} ${offset}`,
      private: megabytes('Private_Clean') + megabytes('Private_Dirty'),
      shared: megabytes('Shared_Clean') + megabytes('Shared_Dirty'),
    };
  }
}
