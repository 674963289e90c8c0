import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { python, type Toolchain } from './toolchains.ts'

/**
 * Feature of an SDK that a scenario needs. `polling` (the SDK decides) and `remote` (the target decides) exclude each
 * other.
 */
export type SdkFeature =
  | 'polling'
  | 'remote'
  | 'streaming'
  | 'counts'
  | 'impact'
  | 'backup'
  | 'project'
  | 'prefix'
  | 'tag'

/** Version of an official SDK that the scenarios run with. */
export interface SdkVersion {
  readonly language: string
  /** Name of the package in its registry. */
  readonly package: string
  readonly version: string
  readonly features: readonly SdkFeature[]
  /** Evaluation profile of the SDK. Undefined if Burgee decides for it. */
  readonly profile?: EvaluationProfile
  readonly toolchain: Toolchain
}

const PYTHON = python('driver.py', 'unleash')
const SERVER_SIDE = ['polling', 'counts', 'backup', 'project'] as const

/** All versions that are run. */
export const SDK_VERSIONS: readonly SdkVersion[] = [
  {
    language: 'Python',
    package: 'UnleashClient',
    version: '6.9.1',
    features: [...SERVER_SIDE, 'streaming', 'impact'],
    profile: 'yggdrasil',
    toolchain: PYTHON,
  },
  {
    language: 'Python',
    package: 'UnleashClient',
    version: '6.0.1',
    features: SERVER_SIDE,
    profile: 'yggdrasil',
    toolchain: PYTHON,
  },
  {
    language: 'Python',
    package: 'UnleashClient',
    version: '5.12.5',
    features: SERVER_SIDE,
    profile: 'yggdrasil',
    toolchain: PYTHON,
  },
]
