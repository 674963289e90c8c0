import type { RouteShape } from '@burgee/kit/http/route'
import type { ConfigChange } from '@burgee/protocol/administration/config-plan'
import type { ClientFeatures } from '@burgee/protocol/feature'
import type { ContextListener } from '@burgee/serving/evaluation/evaluation-routes'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import type { FrontendScope } from '@burgee/serving/sdk/frontends'
import type { Revision } from '@burgee/storage/epochs'
import type { FirstLogin } from '../admin/access/people/first-login.ts'
import type { LoadOrder } from '../admin/config/load-files.ts'
import type { Bucket } from '../delivery/usage/usage-buffer.ts'
import type { createServerApp } from './server-app.ts'

/** Server that is connected to its database and answers requests. */
export interface BurgeeServer {
  /** HTTP app, for `inject` in tests and for further plugins before `listen`. */
  readonly app: ReturnType<typeof createServerApp>['app']
  /** All endpoints as data, for the documentation, and for tests that cover each endpoint. */
  readonly routes: readonly RouteShape[]
  /**
   * Credentials of the first login; undefined once a user has logged in. The credentials were created by this process,
   * or shortly before by another server.
   */
  readonly firstLogin: FirstLogin | undefined
  /** True if this process is the first to start on this database. */
  readonly isNew: boolean
  /**
   * Credentials of the first login after a start without the database. Resolves with the credentials once the database
   * can be reached; the caller must print them. Resolves with undefined in all other cases.
   */
  readonly lateLogin: Promise<FirstLogin | undefined>
  /** Accepts connections at the configured address. Throws ListenError. */
  listen(): Promise<{ url: string; port: number }>
  /**
   * Makes the readiness probe fail, and closes each connection after its next response. New connections are still
   * accepted.
   */
  drain(): void
  /**
   * Shuts down gracefully: stops accepting connections, finishes requests in flight, writes usage and closes the
   * database. Each step of the shutdown is limited to a few seconds.
   */
  close(): Promise<void>
  /** Returns the document that SDKs download, for a consumer in this process. `['*']` stands for all projects. */
  features(wanted: {
    readonly environment: string
    readonly projects: readonly string[]
  }): Promise<{ revision: Revision; document: ClientFeatures }>
  /**
   * Calls the listener after each change to an environment's SDK document, once the document has been requested. The
   * request that made the change waits for the listener's promise, but no longer than one second. Returns a function
   * that unsubscribes.
   */
  onChange(listener: () => void | Promise<void>): () => void
  /** Records usage reported by a consumer in this process, for its environment and projects. */
  recordMetrics(scope: FlagScope, appName: string, bucket: Bucket): Promise<void>
  /** Adds impact metrics that a proxy in this process has collected for its environment and projects. */
  recordImpact(scope: FlagScope, rows: readonly ImpactRow[]): Promise<void>
  /**
   * Returns a function for a consumer in this process, which must call it with each context for which it evaluates
   * flags of `scope`.
   */
  seen(scope: FrontendScope): ContextListener
  /** Marks flags that are older than the expected lifetime of their type. Runs hourly after `listen`. */
  markOverdue(): Promise<void>
  /** Writes the events about the delivery of changes that are due. Runs periodically after `listen`. */
  watchDelivery(): Promise<void>
  /** Removes data that is older than its retention period. Runs hourly after `listen`. */
  removeOld(): Promise<void>
  /**
   * Applies the change requests whose scheduled time has come, and starts the milestones that are due. Runs
   * periodically after `listen`.
   */
  applyDue(): Promise<void>
  /** Writes usage that is buffered in memory. */
  flush(): Promise<void>
  /** Adds a few demo flags. Does not change existing flags. */
  seedDemo(): Promise<void>
  /**
   * Brings a project to the state of its files, for a development server. Returns the changes. Throws ValidationError
   * that lists the mistakes in the files, and then changes nothing.
   */
  loadFiles(order: Omit<LoadOrder, 'budget'>): Promise<readonly ConfigChange[]>
}
