import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { whereIs } from '../setup/debian.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { findUnreachable, installIfPossible, RegistryUnavailable, runInstaller } from './toolchains.ts'

/** Registry that cannot be reached, because nothing listens on this port. */
const CLOSED = 'http://127.0.0.1:1'
const DRIVERS = join(import.meta.dirname, 'drivers')
const folder = temporaryFolder()
afterAll(folder.remove)

const settings = join(folder.path, 'settings.xml')
const mirror = `<mirror><id>closed</id><mirrorOf>*</mirrorOf><url>${CLOSED}</url></mirror>`
const cargoHome = join(folder.path, 'cargo')
mkdirSync(cargoHome)
writeFileSync(
  join(cargoHome, 'config.toml'),
  `[source.crates-io]\nreplace-with = "closed"\n[source.closed]\nregistry = "sparse+${CLOSED}/"\n`,
)
writeFileSync(settings, `<settings><mirrors>${mirror}</mirrors></settings>`)

const ROWS = [
  [
    'python3',
    [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--retries=1',
      '--no-cache-dir',
      `--index-url=${CLOSED}`,
      'APScheduler==3.11.3',
    ],
  ],
  [
    'npm',
    ['view', 'unleash-client', `--registry=${CLOSED}`, '--fetch-retries=0', `--cache=${join(folder.path, 'npm')}`],
  ],
  ['go', ['build', '-C', join(DRIVERS, 'go'), '-o', join(folder.path, 'driver'), '.']],
  ['cargo', ['fetch', '--locked', '--manifest-path', join(DRIVERS, 'rust', 'Cargo.toml')]],
  [
    'mvn',
    [
      ...['-B', '-q', '-s', settings, '-f', join(DRIVERS, 'java', 'pom.xml'), '-Dsdk=8.4.0'],
      ...[
        `-Dmaven.repo.local=${join(folder.path, 'maven')}`,
        'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies',
      ],
    ],
  ],
] as const
const ENV = {
  GOPROXY: CLOSED,
  GOSUMDB: 'off',
  GOWORK: 'off',
  GOFLAGS: '-mod=readonly -buildvcs=false -modcacherw',
  GOMODCACHE: join(folder.path, 'go'),
  CARGO_HOME: cargoHome,
  CARGO_NET_RETRY: '0',
  PIP_FIND_LINKS: '',
}

test.for(ROWS)(
  '%s names a registry that cannot be reached',
  { timeout: 120_000 },
  async ([program, args], { skip }) => {
    skip(whereIs(program) === undefined, `${program} not found`)
    await expect(runInstaller(program, args, ENV)).rejects.toThrow(RegistryUnavailable)
  },
)

test.for([
  'OSError: Tunnel connection failed: 403 Forbidden',
  'error: download of config.json failed: [56] CONNECT tunnel failed, response 403',
  'warning: spurious network error: [28] Timeout was reached (Connection timed out after 30000 milliseconds)',
  "WARNING: Retrying after connection broken by 'ReadTimeoutError(...): Read timed out.'",
  'npm error code EAI_AGAIN',
])('%s is a registry that cannot be reached', (line) => {
  expect(findUnreachable(`first line\n${line}\nlast line`)).toBe(line)
})

test.for(['error[E0425]: cannot find value `x`', 'npm error code EINTEGRITY', 'ERROR: THESE PACKAGES DO NOT MATCH'])(
  '%s is another failure',
  (line) => expect(findUnreachable(line)).toBeUndefined(),
)

test('an SDK without its toolchain or registry is skipped by name, and other failures count', async () => {
  const install = (error: Error) => () => Promise.reject(error)
  const missing = { programs: ['no-such-program'], install: install(new Error('never called')) }
  const unavailable = { programs: [], install: install(new RegistryUnavailable('away')) }
  const broken = { programs: [], install: install(new Error('does not compile')) }
  expect(await installIfPossible('Language SDK 1', missing, '1')).toBeUndefined()
  expect(await installIfPossible('Language SDK 1', unavailable, '1')).toBeUndefined()
  await expect(installIfPossible('Language SDK 1', broken, '1')).rejects.toThrow('does not compile')
})
