import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whereIs } from './debian.ts'

const VERSION = '3.22.0'
const FOLDER = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), '.cache', `helm-${VERSION}`)
const BUILD_LIMIT_MS = 400_000

/**
 * Returns the path of Helm, built once from the Go module proxy. Returns undefined where Go is missing or the module
 * cannot be downloaded.
 */
export function findHelm(): string | undefined {
  const program = join(FOLDER, 'helm')
  if (existsSync(program)) return program
  if (whereIs('go') === undefined) return undefined
  spawnSync('go', ['install', `helm.sh/helm/v3/cmd/helm@v${VERSION}`], {
    env: { ...process.env, GOBIN: FOLDER },
    stdio: 'ignore',
    timeout: BUILD_LIMIT_MS,
  })
  return existsSync(program) ? program : undefined
}
