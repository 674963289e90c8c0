import { execFileSync } from 'node:child_process'

/** Returns the ids of a process's children. */
export function childrenOf(pid: number): number[] {
  try {
    const lines = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    return lines.split('\n').map(Number).filter(Boolean)
  } catch {
    return []
  }
}
