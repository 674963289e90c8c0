import type { FailedLogins } from './failed-logins.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import type { Downloads } from './snapshot.ts'
import type { Telemetry } from './telemetry.ts'
import type { TokenCache } from './token-cache.ts'
import type { Usage } from './usage.ts'
import type { World } from './world.ts'

/** What routes work with. */
export interface ServerWorld extends World {
  readonly downloads: Downloads
  readonly usage: Usage
  readonly sessions: Sessions
  readonly failedLogins: FailedLogins
  readonly tokens: TokenCache
  readonly passwords: Passwords
  readonly settings: Settings
  readonly telemetry: Telemetry
}
