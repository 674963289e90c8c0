import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, realpath, rmdir, stat, unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBoundedServer, listenBounded } from '@burgee/kit/http/bounded-servers'
import { makeDirectory } from './data-directory.ts'

/**
 * Thrown if another process uses the directory. The message contains the process id of the directory's owner, if the
 * owner answered.
 */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/** Exclusive right to use a directory, held until it is released or the process ends. */
export interface DirectoryLock {
  release(): Promise<void>
}

const SOCKET = 'lock.sock'
const MAX_SOCKET_PATH_BYTES = 100
const ANSWER_MS = 1000
const STALE_TAKEOVER_MS = 5000
const MAX_WAIT_MS = 15_000

/**
 * Creates the directory (0700) and locks it by listening on a Unix socket in it. The operating system frees the socket
 * when a process ends, so only a running process answers on its socket. If no process answers on an existing socket,
 * this process replaces it; only one process at a time can do so. Throws DirectoryInUse.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await makeDirectory(directory)
  const real = await realpath(directory)
  const { path, handle } = await openSocketPath(real)
  const end = performance.now() + MAX_WAIT_MS
  try {
    for (;;) {
      const server = (await listen(path)) ?? (await takeOver(path, join(real, `${SOCKET}.takeover`), real))
      if (server !== undefined) return createLock(server, handle)
      if (performance.now() > end) throw new DirectoryInUse(`${real} is being taken over by another server`)
      await sleep(20)
    }
  } catch (error) {
    await handle?.close()
    throw error
  }
}

function createLock(server: Server, handle: FileHandle | undefined): DirectoryLock {
  server.unref()
  return {
    release: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await handle?.close()
    },
  }
}

/**
 * Returns the path of the socket. Socket paths are limited to about 100 bytes. For a longer path, Linux uses a short
 * path through the open directory handle, and other systems use a name in the temporary directory that is derived from
 * the path.
 */
async function openSocketPath(real: string): Promise<{ path: string; handle?: FileHandle }> {
  const plain = join(real, SOCKET)
  if (Buffer.byteLength(plain) <= MAX_SOCKET_PATH_BYTES) return { path: plain }
  if (process.platform === 'linux') {
    const handle = await open(real, constants.O_RDONLY | constants.O_DIRECTORY)
    return { path: `/proc/self/fd/${handle.fd}/${SOCKET}`, handle }
  }
  const name = createHash('sha256').update(real).digest('hex').slice(0, 16)
  return { path: join(tmpdir(), `burgee-${name}.sock`) }
}

/** Listens on the socket, and answers with the process id. Returns undefined if the socket already exists. */
async function listen(path: string): Promise<Server | undefined> {
  const server = createBoundedServer({
    kind: 'local',
    idleTimeoutMs: ANSWER_MS,
    connection: (socket) => socket.end(`${process.pid}\n`),
  })
  try {
    await listenBounded(server, { path })
    return server
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
}

/**
 * Replaces a socket whose process has ended. Returns undefined if another process is replacing the socket or has
 * already created a new one.
 */
async function takeOver(path: string, mutex: string, real: string): Promise<Server | undefined> {
  await requireNoOwner(path, real)
  if (!(await enterMutex(mutex))) return undefined
  try {
    // another process may have replaced the socket after the first check
    await requireNoOwner(path, real)
    await unlink(path).catch(() => {})
    return await listen(path)
  } finally {
    await rmdir(mutex).catch(() => {})
  }
}

async function enterMutex(mutex: string): Promise<boolean> {
  try {
    await mkdir(mutex)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const made = await stat(mutex).catch(() => undefined)
  if (made !== undefined && Date.now() - made.mtimeMs > STALE_TAKEOVER_MS) await rmdir(mutex).catch(() => {})
  return false
}

/**
 * Returns the process id of the server that owns a directory; undefined if no server owns it or the owner does not
 * answer.
 */
export async function findDirectoryOwner(directory: string): Promise<number | undefined> {
  const real = await realpath(directory).catch(() => undefined)
  if (real === undefined) return undefined
  const { path, handle } = await openSocketPath(real)
  try {
    return Number(await readOwner(path)) || undefined
  } finally {
    await handle?.close()
  }
}

/** Throws DirectoryInUse if a process accepts connections on the socket, even if that process sends no answer. */
async function requireNoOwner(path: string, real: string): Promise<void> {
  const owner = await readOwner(path)
  if (owner === undefined) return
  const who = owner === '' ? 'another server' : `the process ${owner}`
  throw new DirectoryInUse(`The data directory ${real} is in use by ${who}. One server per directory.`)
}

function readOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8')
    let isConnected = false
    socket.on('connect', () => {
      isConnected = true
    })
    socket.on('data', (text: string) => {
      answer += text
    })
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve(isConnected ? answer.trim() : undefined))
  })
}
