import type { DecisionLog } from '@burgee/kit/otel/decision-log'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { Deltas } from '@burgee/serving/sdk/deltas'
import type { Downloads } from '@burgee/serving/sdk/downloads'
import type { FlagStreams } from '@burgee/serving/sdk/flag-streams'
import type { EventNames } from '@burgee/storage/queries/events/event-names'
import type { AdminEventStream } from '../admin/events/admin-event-stream.ts'
import type { ImpactEvaluator } from '../admin/impact/impact.ts'
import type { TrafficSamples } from '../admin/impact/traffic-samples.ts'
import type { PrometheusReads } from '../admin/impact-metrics/prometheus-reads.ts'
import type { DeliveryMeans } from '../admin/integrations/integration-delivery.ts'
import type { Mails } from '../admin/mail/mails.ts'
import type { SignInMethods } from '../admin/sso/sign-in-methods.ts'
import type { Documents } from '../delivery/documents/documents.ts'
import type { DatabaseContact } from '../delivery/events/database-contact.ts'
import type { FleetBook } from '../delivery/fleet/fleet-book.ts'
import type { ImpactReports } from '../delivery/impact/impact-reports.ts'
import type { TestRuns } from '../delivery/test-runs/test-runs.ts'
import type { Usage } from '../delivery/usage/usage-buffer.ts'
import type { FailedLogins } from './access/logins/failed-login-counts.ts'
import type { LoginHistory } from './access/logins/login-history.ts'
import type { Sessions } from './access/logins/sessions.ts'
import type { StreamHolder } from './access/logins/stream-holders.ts'
import type { Passwords } from './access/passwords/passwords.ts'
import type { HiddenProjects } from './access/rights/hidden-projects.ts'
import type { PeopleRights } from './access/rights/people-rights.ts'
import type { ScimAccess } from './access/scim-access.ts'
import type { TokenCache } from './access/tokens/token-cache.ts'
import type { Administration } from './administration.ts'
import type { FlagOrigins } from './managed-objects.ts'
import type { Settings } from './settings.ts'
import type { Telemetry } from './telemetry.ts'
import type { World } from './world.ts'

/** Dependencies of the routes. */
export interface ServerWorld extends World, Administration {
  readonly flagOrigins: FlagOrigins
  /** Names by which event searches can filter. */
  readonly eventNames: EventNames
  readonly documents: Documents
  /** Returns the state of the connection to the database. */
  readonly contact: () => DatabaseContact
  readonly downloads: Downloads
  readonly deltas: Deltas
  /** All event streams of the process. */
  readonly streams: EventStreams
  readonly flagStreams: FlagStreams<StreamHolder>
  readonly usage: Usage
  /** Sends decisions to a collector; undefined if none are sent. */
  readonly decisions: DecisionLog | undefined
  /** Connections of SDKs and edges, with the revision that each of them has. */
  readonly fleet: FleetBook
  /** Impact metrics that SDKs report. */
  readonly impactReports: ImpactReports
  readonly sessions: Sessions
  /** Permissions of users. */
  readonly rights: PeopleRights
  /** Private projects that are hidden from each user. */
  readonly hidden: HiddenProjects
  readonly failedLogins: FailedLogins
  readonly logins: LoginHistory
  readonly tokens: TokenCache
  /** Test runs that this node knows. */
  readonly testRuns: TestRuns
  readonly passwords: Passwords
  readonly settings: Settings
  readonly telemetry: Telemetry
  /** Services that the delivery of events to integrations depends on. */
  readonly deliveryMeans: DeliveryMeans
  /** Limits how many reads from Prometheus servers run at the same time. */
  readonly prometheusReads: PrometheusReads
  /** Service that sends mails; undefined if no mail server is configured. */
  readonly mails: Mails | undefined
  /** Available login methods. */
  readonly signIn: SignInMethods
  /** Access for SCIM directories. */
  readonly scim: ScimAccess
  /** Samples of the contexts in SDK traffic. */
  readonly traffic: TrafficSamples
  /** Service that estimates the effect of edits on sampled contexts. */
  readonly impacts: ImpactEvaluator
  /** Event stream for open pages of the UI. */
  readonly adminEvents: AdminEventStream
}
