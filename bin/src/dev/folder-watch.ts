import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { listConfigPaths } from '../config/config-folder.ts'

/** Pause between two looks at a folder. */
const POLL_MS = 250
/** Pause after which a changed folder must be unchanged, because editors write a file in several steps. */
const SETTLE_MS = 50
/** Upper limit of the time spent on looks at a large folder, as a divisor of the total time. */
const MAX_SHARE = 10

/** Watch of a folder. */
export interface FolderWatch {
  /** Resolves when a running reload has ended. */
  readonly stop: () => Promise<void>
}

interface WatchOptions {
  /** Signature of the files that are in use. */
  readonly loaded: string
  readonly reload: () => Promise<void>
  readonly monotonic: MonotonicClock
}

/**
 * Calls `reload` after changes of the YAML files in folders since `loaded` was computed. Compares times and sizes of
 * the files, because file systems that are mounted into a container or a virtual machine send no events. `reload` must
 * not reject.
 */
export function watchFolders(
  folders: readonly string[],
  { loaded: first, reload, monotonic }: WatchOptions,
): FolderWatch {
  const stopping = new AbortController()
  const watch = async (): Promise<void> => {
    let loaded = first
    let previous = loaded
    let pauseMs = POLL_MS
    while (await pause(pauseMs, stopping.signal)) {
      const beganMs = monotonic()
      const current = computeSignature(folders)
      const isSettled = current === previous
      previous = current
      pauseMs = Math.max(isSettled ? POLL_MS : SETTLE_MS, (monotonic() - beganMs) * MAX_SHARE)
      if (!isSettled || current === loaded) continue
      loaded = current
      await reload()
    }
  }
  const ended = watch()
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/** Returns false if the pause was aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<boolean> => sleep(ms, true, { signal }).catch(() => false)

/** Returns a hash of the paths, times and sizes of files; the same hash for all folders that cannot be read. */
export function computeSignature(folders: readonly string[]): string {
  const hash = createHash('sha1')
  try {
    for (const folder of folders) {
      for (const path of listConfigPaths(folder)) {
        const { mtimeMs, ctimeMs, size, ino } = statSync(join(folder, path))
        hash.update(`${folder} ${path} ${mtimeMs} ${ctimeMs} ${size} ${ino}\n`)
      }
    }
    return hash.digest('hex')
  } catch {
    return 'unreadable'
  }
}
