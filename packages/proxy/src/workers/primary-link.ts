import { GroupLink } from '@burgee/kit/workers/group-link'
import { readDocument } from '@burgee/serving/document/feature-document'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { DocumentTexts } from '@burgee/serving/upstream/document-text'
import type { OwnedNames } from '@burgee/serving/usage/name-room'
import type { MetricsPayload } from '../usage/metrics-bucket.ts'
import type { MetricsSink } from '../usage/reporter.ts'
import type { ProxyNews, ProxyPrimaryChannel, ProxyQuestion, SentConfiguration } from './messages.ts'

/**
 * A worker's end of the link to the primary process. It is to a worker what an upstream over HTTP is to a proxy that is
 * alone: configurations come over it, counts and registration go over it.
 */
export class PrimaryLink implements ConfigurationSource, MetricsSink {
  /** What all workers have in common. */
  readonly group: GroupLink<ProxyNews, ProxyQuestion>
  /** As the primary process says, which has looked at the options. */
  readonly profile = new AnnouncedProfile({ configured: undefined, fallback: 'node' })
  #listener: ConfigurationListener | undefined
  #configuration: SentConfiguration | undefined
  /** Texts of the configuration that was read last. */
  readonly #texts = new DocumentTexts()
  /** What is passed on to the listener, one after the other, because reading takes time. */
  #passing: Promise<void> = Promise.resolve()

  constructor(channel: ProxyPrimaryChannel) {
    this.group = new GroupLink(channel, (news) => this.#hear(news))
  }

  /** Hands over what has come already and everything that comes later, in order. */
  start(listener: ConfigurationListener): void {
    this.#listener = listener
    if (this.#configuration !== undefined) this.#accept(this.#configuration)
  }

  async stop(): Promise<void> {
    this.#listener = undefined
  }

  /** The primary process registers for all; it wants to know that this worker answers from a configuration. */
  async register(): Promise<void> {
    this.group.ready()
  }

  /** Resolves once the primary process has taken the counts over. */
  async send(payload: MetricsPayload, owners: () => readonly OwnedNames[]): Promise<void> {
    await this.group.ask({ kind: 'metrics', payload, owners: owners() })
  }

  #hear(news: ProxyNews): void {
    switch (news.kind) {
      case 'configuration':
        this.#configuration = news.configuration
        this.#accept(news.configuration)
        break
      case 'confirmed':
        this.#pass(() => this.#listener?.confirm())
        break
      case 'failed':
        this.#pass(() => this.#listener?.fail(new Error(news.message)))
        break
    }
  }

  /** Reads in slices, so that requests go on meanwhile; parts that are the same as before stay the same objects. */
  #accept({ text, origin, profile }: SentConfiguration): void {
    if (this.#listener === undefined) return
    this.#pass(async () => {
      const value = await this.#texts.read(text)
      this.profile.hear(profile)
      this.#listener?.accept(readDocument(value), origin)
    })
  }

  #pass(act: () => void | Promise<void>): void {
    this.#passing = this.#passing.then(act).catch((error: Error) => this.#listener?.fail(error))
  }
}
