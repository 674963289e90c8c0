import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { go, java, node, python, rust, type Toolchain } from './toolchains.ts'

/**
 * Capability of an SDK that a scenario needs. `polling`: the SDK has a copy of the flags. `calls`: the SDK sends a
 * request to Burgee for each evaluation.
 */
export type SdkFeature =
  | 'polling'
  | 'calls'
  | 'delta'
  | 'streaming'
  | 'counts'
  | 'registration'
  | 'impact'
  | 'backup'
  | 'project'
  | 'prefix'
  | 'tag'

/** Version of an SDK with which the scenarios are run. */
export interface SdkVersion {
  readonly language: string
  /** Name of the package in its registry. */
  readonly package: string
  readonly version: string
  /** Interface that the SDK calls. Only with `client` does the SDK decide flags by itself. */
  readonly api: 'client' | 'frontend' | 'ofrep'
  readonly features: readonly SdkFeature[]
  /** Evaluation profile of the SDK. Undefined if Burgee decides flags for the SDK. */
  readonly profile?: EvaluationProfile
  readonly toolchain: Toolchain
}

const SERVER_SIDE = ['polling', 'counts', 'registration', 'backup', 'project'] as const
const CALLS = ['calls', 'counts'] as const
const PYTHON = { language: 'Python', package: 'UnleashClient', api: 'client', profile: 'yggdrasil' } as const
const JAVA = { language: 'Java', package: 'unleash-client-java', api: 'client' } as const
const NODE = { language: 'Node.js', package: 'unleash-client', api: 'client', profile: 'node' } as const
const BROWSER = { language: 'JavaScript', package: 'unleash-proxy-client', api: 'frontend' } as const

const unleashPython = python('driver.py', 'unleash')
const unleashJava = java('java')

/** All versions that are run, in the order of the documentation. */
export const SDK_VERSIONS: readonly SdkVersion[] = [
  { ...PYTHON, version: '6.9.1', features: [...SERVER_SIDE, 'streaming', 'impact'], toolchain: unleashPython },
  { ...PYTHON, version: '6.0.1', features: SERVER_SIDE, toolchain: unleashPython },
  { ...PYTHON, version: '5.12.5', features: SERVER_SIDE, toolchain: unleashPython },
  {
    language: 'Python',
    package: 'openfeature-provider-ofrep',
    version: '0.3.0',
    api: 'ofrep',
    features: CALLS,
    toolchain: python('openfeature_driver.py', 'openfeature'),
  },
  {
    ...JAVA,
    version: '12.2.3',
    features: [...SERVER_SIDE, 'prefix', 'streaming', 'impact'],
    profile: 'yggdrasil',
    toolchain: unleashJava,
  },
  { ...JAVA, version: '9.3.2', features: [...SERVER_SIDE, 'prefix'], profile: 'node', toolchain: unleashJava },
  { ...JAVA, version: '8.4.0', features: [...SERVER_SIDE, 'prefix'], profile: 'node', toolchain: unleashJava },
  {
    language: 'Java',
    package: 'dev.openfeature.contrib.providers:ofrep',
    version: '0.0.2',
    api: 'ofrep',
    features: CALLS,
    toolchain: java('java-openfeature'),
  },
  {
    language: 'Rust',
    package: 'unleash-api-client',
    version: '0.17.1',
    api: 'client',
    features: ['polling', 'counts', 'registration'],
    profile: 'yggdrasil',
    toolchain: rust('rust'),
  },
  {
    language: 'Go',
    package: 'github.com/open-feature/go-sdk',
    version: '1.20.0',
    api: 'ofrep',
    features: CALLS,
    toolchain: go('go'),
  },
  {
    ...NODE,
    version: '6.12.1',
    features: [...SERVER_SIDE, 'prefix', 'tag', 'delta', 'streaming', 'impact'],
    toolchain: node('driver.mjs', 'unleash-client'),
  },
  ...['5.6.1', '4.2.1', '3.21.0'].map((version) => ({
    ...NODE,
    version,
    features: [...SERVER_SIDE, 'prefix', 'tag'] as const,
    toolchain: node('driver.mjs', 'unleash-client'),
  })),
  ...['3.8.2', '2.5.0', '1.11.0'].map((version) => ({
    ...BROWSER,
    version,
    features: ['polling', 'counts'] as const,
    toolchain: node('browser-driver.mjs', 'unleash-proxy-client'),
  })),
]
