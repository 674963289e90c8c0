import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'

/** Program that prints the decisions of an official SDK. Its only argument is the path of a task file. */
export interface SdkProgram {
  readonly language: string
  readonly version: string
  /** Profile that the SDK decides by. */
  readonly profile: EvaluationProfile
  /** Operators that this version does not know. A strategy that uses one is off for everyone, inverted or not. */
  readonly unknown: readonly string[]
  /** True if any variant of a parent flag satisfies a dependency on certain variants. */
  readonly ignoresParentVariants?: boolean
  /** Returns the command. Throws with the missing part if the machine cannot run it. */
  readonly prepare: (folder: string) => readonly string[]
}

const PROGRAMS = join(import.meta.dirname, 'programs')
const NEWEST_OPERATORS = ['SEMVER_GTE', 'SEMVER_LTE', 'IN_CIDR']
const MAVEN = process.env.MAVEN_REPOSITORY ?? join(homedir(), '.m2', 'repository')

/** Java SDK and the libraries it needs at run time, as paths of a Maven repository. */
const JARS = [
  'io/getunleash/unleash-client-java/12.2.3',
  'io/getunleash/yggdrasil-engine/0.5.1',
  'com/google/flatbuffers/flatbuffers-java/25.2.10',
  'com/google/code/gson/gson/2.13.2',
  'com/launchdarkly/okhttp-eventsource/4.3.0',
  'com/launchdarkly/launchdarkly-logging/1.1.1',
  'com/squareup/okhttp3/okhttp/4.12.0',
  'com/squareup/okio/okio-jvm/3.6.0',
  'org/jetbrains/kotlin/kotlin-stdlib/1.8.21',
  'org/slf4j/slf4j-api/2.0.17',
  'com/sangupta/murmur/1.0.0',
]

function jarPath(artifact: string): string {
  const [version = '', name = ''] = artifact.split('/').reverse()
  const path = join(MAVEN, artifact, `${name}-${version}.jar`)
  if (!existsSync(path)) throw new Error(`${name} ${version} is not in ${MAVEN}`)
  return path
}

function goProgram(folder: string): readonly string[] {
  const binary = join(folder, 'go-program')
  // only modules that this machine already has, because a test must not download modules
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' }
  run('go', ['build', '-C', join(PROGRAMS, 'go'), '-o', binary, '.'], env)
  return [binary]
}

function pythonProgram(): readonly string[] {
  const python = process.env.SDK_PYTHON ?? 'python3'
  run(python, ['-c', 'import UnleashClient'])
  return [python, join(PROGRAMS, 'python.py')]
}

function rustProgram(): readonly string[] {
  const binary = join(PROGRAMS, 'rust', 'target', 'release', 'program')
  if (!existsSync(binary)) throw new Error(`run "cargo build --release" in ${join(PROGRAMS, 'rust')} first`)
  return [binary]
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  execFileSync(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Official SDKs that are not npm packages, in the versions that the programs are written for. */
export const SDK_PROGRAMS: readonly SdkProgram[] = [
  {
    language: 'Java',
    version: '12.2.3',
    profile: 'yggdrasil',
    unknown: NEWEST_OPERATORS,
    prepare: () => {
      run('java', ['-version'])
      return ['java', '-cp', JARS.map(jarPath).join(delimiter), join(PROGRAMS, 'Program.java')]
    },
  },
  { language: 'Python', version: '6', profile: 'yggdrasil', unknown: [], prepare: pythonProgram },
  {
    language: 'Go',
    version: '4.5.0',
    profile: 'yggdrasil',
    unknown: [...NEWEST_OPERATORS, 'REGEX'],
    ignoresParentVariants: true,
    prepare: goProgram,
  },
  { language: 'Rust', version: '0.17.1', profile: 'yggdrasil', unknown: [], prepare: rustProgram },
]

/** Decision of an SDK: on or off, name of the variant, payload. */
export type Decision = readonly [isEnabled: boolean, variant: string, payload?: string | null]

/** Decisions at one URL: a line per context, with an entry per flag. */
export type Decisions = readonly (readonly Decision[])[]

/** Runs a program. Resolves with the decisions at each address of the task. */
export function runProgram(command: readonly string[], taskFile: string): Promise<readonly Decisions[]> {
  const [program = '', ...args] = command
  const limits = { maxBuffer: 64 << 20, timeout: 100_000 }
  return new Promise((resolve, reject) => {
    execFile(program, [...args, taskFile], limits, (error, output, errors) => {
      if (error !== null) reject(new Error(`${error.message}\n${errors}`))
      else resolve(JSON.parse(output))
    })
  })
}
