import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * npm package that contains the official Unleash admin UI. Its license is Apache-2.0. Only the pages of the package are
 * unpacked, and none of its code runs.
 */
const PACKAGE = 'unleash-server@5.12.8'
const PAGES = 'package/frontend/build'
const CACHE = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules', '.cache', 'official-ui')
const DOWNLOAD_MS = 120_000

/**
 * Returns the folder with the official admin UI's pages: OFFICIAL_UI_FOLDER, or the npm package's, cached next to the
 * dependencies. Undefined if the pages are unavailable; the reason is printed.
 */
export function officialUiFolder(): string | undefined {
  const given = process.env.OFFICIAL_UI_FOLDER
  if (given !== undefined && given !== '') return given
  const kept = join(CACHE, PACKAGE, PAGES)
  if (existsSync(join(kept, 'index.html'))) return kept
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'download-'))
  const run = (file: string, args: readonly string[]) =>
    execFileSync(file, args, { cwd: folder, timeout: DOWNLOAD_MS, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  try {
    const archive = run('npm', ['pack', PACKAGE, '--silent']).trim()
    run('tar', ['-xzf', archive, PAGES])
    rmSync(join(folder, archive))
    rmSync(join(CACHE, PACKAGE), { recursive: true, force: true })
    renameSync(folder, join(CACHE, PACKAGE))
    return kept
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    process.stderr.write(`The official admin UI (${PACKAGE}) cannot be had from npm: ${String(error).split('\n')[0]}\n`)
    return undefined
  }
}
