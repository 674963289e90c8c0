import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LISTENING = '0A'

/** Process that listens on a port. */
export interface PortHolder {
  readonly pid: number
  /** Command line of the process. */
  readonly command: string
}

/**
 * Returns the process that listens on a TCP port of this machine. Returns undefined if this user cannot see the
 * process, and on platforms other than Linux.
 */
export function findPortHolder(port: number): PortHolder | undefined {
  if (process.platform !== 'linux') return undefined
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listInodes(readOrEmpty(table), port)))
  if (inodes.size === 0) return undefined
  const pids = listNames('/proc').filter((name) => /^\d+$/.test(name))
  const pid = pids.find((one) =>
    listNames(`/proc/${one}/fd`).some((fd) => inodes.has(readInode(`/proc/${one}/fd/${fd}`))),
  )
  if (pid === undefined) return undefined
  return { pid: Number(pid), command: readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }
}

/**
 * Returns the inodes of sockets that listen on a port. Source: proc(5), /proc/net/tcp: local address, state and inode
 * are the 2nd, 4th and 10th field.
 */
function listInodes(table: string, port: number): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap((fields) =>
      fields[1]?.endsWith(end) === true && fields[3] === LISTENING ? [`socket:[${fields[9]}]`] : [],
    )
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // the process has ended, or belongs to another user
    return []
  }
}

function readInode(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
