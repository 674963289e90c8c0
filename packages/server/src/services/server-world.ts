import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { Deltas } from '@burgee/serving/sdk/deltas'
import type { Downloads } from '@burgee/serving/sdk/downloads'
import type { FlagStreams } from '@burgee/serving/sdk/flag-streams'
import type { FailedLogins } from './access/failed-logins.ts'
import type { Passwords } from './access/passwords.ts'
import type { Sessions } from './access/sessions.ts'
import type { StreamHolder } from './access/stream-holders.ts'
import type { TokenCache } from './access/token-cache.ts'
import type { Administration } from './administration.ts'
import type { Documents } from './documents/documents.ts'
import type { DeliveryMeans } from './integrations/delivery.ts'
import type { NewsFeed } from './news-feed.ts'
import type { Settings } from './settings.ts'
import type { DatabaseContact } from './shared-broadcast.ts'
import type { Telemetry } from './telemetry.ts'
import type { Usage } from './usage/usage.ts'
import type { World } from './world.ts'

/** What routes work with. */
export interface ServerWorld extends World, Administration {
  readonly documents: Documents
  /** When the database was last heard of. */
  readonly contact: () => DatabaseContact
  readonly downloads: Downloads
  readonly deltas: Deltas
  /** All event streams of the process. */
  readonly streams: EventStreams
  readonly flagStreams: FlagStreams<StreamHolder>
  readonly usage: Usage
  readonly sessions: Sessions
  readonly failedLogins: FailedLogins
  readonly tokens: TokenCache
  readonly passwords: Passwords
  readonly settings: Settings
  readonly telemetry: Telemetry
  /** With what integrations are told. */
  readonly deliveryMeans: DeliveryMeans
  /** What happens, for those who show it. */
  readonly news: NewsFeed
}
