import { GroupLink } from '@burgee/kit/workers/group-link'
import { parseFeatureDocument } from '@burgee/serving/document/feature-document'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { DocumentParser } from '@burgee/serving/upstream/document-text'
import type { OwnedNames } from '@burgee/serving/usage/name-budget'
import type { MetricsPayload } from '../usage/metrics-bucket.ts'
import type { MetricsSink } from '../usage/reporter.ts'
import type { ProxyPrimaryChannel, ProxyQuestion, SentConfiguration, WorkerUpdate } from './proxy-messages.ts'

/**
 * A worker's end of the link to the primary process. The link replaces the HTTP upstream of a standalone proxy. The
 * link receives configurations from the primary process, and sends counts and the registration to it.
 */
export class PrimaryLink implements ConfigurationSource, MetricsSink {
  /** Link that all kinds of workers use. */
  readonly group: GroupLink<WorkerUpdate, ProxyQuestion>
  /** Evaluation profile as sent by the primary process, which has already applied the options. */
  readonly profile = new AnnouncedProfile({ configured: undefined, fallback: 'node' })
  #listener: ConfigurationListener | undefined
  #configuration: SentConfiguration | undefined
  /** Parser that caches the parsed items of the last configuration. */
  readonly #texts = new DocumentParser()
  /** Queue of deliveries to the listener. Deliveries run one at a time, because parsing takes time. */
  #queue: Promise<void> = Promise.resolve()

  constructor(channel: ProxyPrimaryChannel) {
    this.group = new GroupLink(channel, (news) => this.#handleUpdate(news))
  }

  /** Delivers the latest configuration, if one has arrived, and all later messages in order. */
  start(listener: ConfigurationListener): void {
    this.#listener = listener
    if (this.#configuration !== undefined) this.#accept(this.#configuration)
  }

  async stop(): Promise<void> {
    this.#listener = undefined
  }

  /**
   * Reports to the primary process that this worker has a configuration. Sends no registration, because the primary
   * process registers at the upstream for all workers.
   */
  async register(): Promise<void> {
    this.group.ready()
  }

  /** Resolves once the primary process has accepted the counts. */
  async send(payload: MetricsPayload, owners: () => readonly OwnedNames[]): Promise<void> {
    await this.group.ask({ kind: 'metrics', payload, owners: owners() })
  }

  /** Resolves once the primary process has accepted the impact metrics. */
  async sendImpact(rows: readonly ImpactRow[]): Promise<void> {
    await this.group.ask({ kind: 'impact', rows })
  }

  #handleUpdate(news: WorkerUpdate): void {
    switch (news.kind) {
      case 'configuration':
        this.#configuration = news.configuration
        this.#accept(news.configuration)
        break
      case 'confirmed':
        this.#enqueue(() => this.#listener?.confirm())
        break
      case 'failed':
        this.#enqueue(() => this.#listener?.fail(new Error(news.message)))
        break
    }
  }

  /** Parses in time slices, so that requests are served in between. Unchanged parts remain the same objects. */
  #accept({ text, origin, profile }: SentConfiguration): void {
    if (this.#listener === undefined) return
    this.#enqueue(async () => {
      const value = await this.#texts.parse(text)
      this.profile.applyAnnouncement(profile)
      this.#listener?.accept(parseFeatureDocument(value), origin)
    })
  }

  #enqueue(act: () => void | Promise<void>): void {
    this.#queue = this.#queue.then(act).catch((error: Error) => this.#listener?.fail(error))
  }
}
