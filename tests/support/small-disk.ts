import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** File system of a few megabytes that can be filled. */
export interface SmallDisk {
  readonly path: string
  /** Takes all free space. */
  fill(): void
  /** Frees the space that `fill` took. */
  free(): void
  remove(): void
}

const PIECE_BYTES = 4096

/** Mounts a small file system. Returns undefined if the user has no permission to mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'burgee-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    return undefined
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      const file = openSync(filler, 'w')
      try {
        for (;;) writeSync(file, Buffer.alloc(PIECE_BYTES))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', path])
      rmSync(path, { recursive: true })
    },
  }
}
