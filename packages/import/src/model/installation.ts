import type { Note } from './fidelity.ts'
import type {
  SourceContextField,
  SourceEnvironment,
  SourceFlag,
  SourceFlagType,
  SourceProject,
  SourceSegment,
  SourceStrategyType,
  SourceTag,
  SourceTagType,
} from './source-flags.ts'
import type {
  SourceFavorites,
  SourceGroup,
  SourceInviteLink,
  SourceMembership,
  SourcePersonalToken,
  SourceRole,
  SourceToken,
  SourceUser,
} from './source-people.ts'
import type {
  EventFilter,
  SourceApplication,
  SourceEvent,
  SourceInstance,
  SourceIntegration,
  SourceSettings,
  SourceUsage,
} from './source-usage.ts'

/** Description of the source of an installation. */
export interface InstallationOrigin {
  /** Kind of source, as shown to users: `Unleash database`, `file of LaunchDarkly`. */
  readonly name: string
  /** Host and database name, or file name; contains no secrets. */
  readonly place: string
  /** Time of the read, in milliseconds since 1970. */
  readonly readAt: number
  /** Stable id of the installation, or undefined. */
  readonly instanceId?: string | undefined
  /** Id of the last event at the time of the read; undefined if there are no events. */
  readonly lastEventId: number | undefined
}

/**
 * Data of another service as plain objects, in Burgee's terms. Names are unchanged, even if Burgee would reject them.
 * Lists for data that the source does not have are empty.
 */
export interface Installation {
  readonly origin: InstallationOrigin
  readonly environments: readonly SourceEnvironment[]
  readonly projects: readonly SourceProject[]
  readonly roles: readonly SourceRole[]
  readonly groups: readonly SourceGroup[]
  readonly users: readonly SourceUser[]
  readonly memberships: readonly SourceMembership[]
  readonly contextFields: readonly SourceContextField[]
  readonly flagTypes: readonly SourceFlagType[]
  readonly tagTypes: readonly SourceTagType[]
  /** All tags, including unused tags. */
  readonly tags: readonly SourceTag[]
  readonly strategyTypes: readonly SourceStrategyType[]
  readonly segments: readonly SourceSegment[]
  /** Includes archived flags. */
  readonly flags: readonly SourceFlag[]
  readonly tokens: readonly SourceToken[]
  readonly personalTokens: readonly SourcePersonalToken[]
  readonly favorites: SourceFavorites
  readonly integrations: readonly SourceIntegration[]
  readonly inviteLinks: readonly SourceInviteLink[]
  readonly settings: SourceSettings
  readonly applications: readonly SourceApplication[]
  readonly instances: readonly SourceInstance[]
  /** Number of usage counts, and a function that counts matching events without loading them. */
  readonly amounts: { readonly usage: number; events(wish: EventFilter): Promise<number> }
  /** Reads usage counts in chunks, so that memory use does not depend on the number of usage counts. */
  usage(): AsyncIterable<readonly SourceUsage[]>
  /** Reads events in chunks, by ascending id. */
  events(wish: EventFilter): AsyncIterable<readonly SourceEvent[]>
  /** Known differences after the import, and kinds of data that the source does not provide. */
  readonly notes: readonly Note[]
}

/** Creates an empty installation. */
export function createEmptyInstallation(origin: InstallationOrigin): Installation {
  return {
    origin,
    environments: [],
    projects: [],
    roles: [],
    groups: [],
    users: [],
    memberships: [],
    contextFields: [],
    flagTypes: [],
    tagTypes: [],
    tags: [],
    strategyTypes: [],
    segments: [],
    flags: [],
    tokens: [],
    personalTokens: [],
    favorites: { flags: [], projects: [] },
    integrations: [],
    inviteLinks: [],
    settings: {},
    applications: [],
    instances: [],
    notes: [],
    amounts: { usage: 0, events: async () => 0 },
    usage: yieldNothing,
    events: yieldNothing,
  }
}

async function* yieldNothing(): AsyncGenerator<never> {}
