import { execFileSync } from 'node:child_process'

/** Processes that a process has started. */
export function childrenOf(pid: number): number[] {
  try {
    const lines = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    return lines.split('\n').map(Number).filter(Boolean)
  } catch {
    return []
  }
}
