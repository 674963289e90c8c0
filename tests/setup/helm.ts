import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whereIs } from './debian.ts'

const VERSION = '3.22.0'
const CACHE = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), '.cache')
const PROGRAM = join(CACHE, `helm-${VERSION}`)
const BUILD_LIMIT_MS = 400_000

/**
 * Returns the path of Helm, built once from the Go module proxy. Returns undefined if Go is missing or the module
 * cannot be downloaded.
 */
export function findHelm(): string | undefined {
  if (existsSync(PROGRAM)) return PROGRAM
  if (whereIs('go') === undefined) return undefined
  mkdirSync(CACHE, { recursive: true })
  // another test file may build Helm at the same time, so rename the file only when it is complete
  const folder = mkdtempSync(join(CACHE, 'helm-build-'))
  spawnSync('go', ['install', `helm.sh/helm/v3/cmd/helm@v${VERSION}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: 'ignore',
    timeout: BUILD_LIMIT_MS,
  })
  const built = join(folder, 'helm')
  if (existsSync(built)) renameSync(built, PROGRAM)
  rmSync(folder, { recursive: true, force: true })
  return existsSync(PROGRAM) ? PROGRAM : undefined
}
