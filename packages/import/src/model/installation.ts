import type { Note } from './fidelity.ts'
import type {
  HeldContextField,
  HeldEnvironment,
  HeldFlag,
  HeldFlagType,
  HeldProject,
  HeldSegment,
  HeldStrategyType,
  HeldTag,
  HeldTagType,
} from './held-flags.ts'
import type {
  HeldFavorites,
  HeldGroup,
  HeldInviteLink,
  HeldMembership,
  HeldPersonalToken,
  HeldRole,
  HeldToken,
  HeldUser,
} from './held-people.ts'
import type {
  EventWish,
  HeldApplication,
  HeldEvent,
  HeldInstance,
  HeldIntegration,
  HeldSettings,
  HeldUsage,
} from './held-usage.ts'

/** Description of the source of an installation. */
export interface Origin {
  /** Kind of source, for users: `Unleash database`, `file of LaunchDarkly`. */
  readonly name: string
  /** Host and database, or file; contains no secrets. */
  readonly place: string
  /** Time of the read, in milliseconds since 1970. */
  readonly readAt: number
  /** Stable id of the installation, or undefined. */
  readonly instanceId?: string | undefined
  /** Id of the last event when the installation was read; undefined if there are no events. */
  readonly lastEventId: number | undefined
}

/**
 * The data of another service as plain objects, in the terms of this service. Names stay as they are, even names that
 * this service would reject. A source fills in what it has; all other lists stay empty.
 */
export interface Installation {
  readonly origin: Origin
  readonly environments: readonly HeldEnvironment[]
  readonly projects: readonly HeldProject[]
  readonly roles: readonly HeldRole[]
  readonly groups: readonly HeldGroup[]
  readonly users: readonly HeldUser[]
  readonly memberships: readonly HeldMembership[]
  readonly contextFields: readonly HeldContextField[]
  readonly flagTypes: readonly HeldFlagType[]
  readonly tagTypes: readonly HeldTagType[]
  /** All tags, including unused ones. */
  readonly tags: readonly HeldTag[]
  readonly strategyTypes: readonly HeldStrategyType[]
  readonly segments: readonly HeldSegment[]
  /** Includes archived flags. */
  readonly flags: readonly HeldFlag[]
  readonly tokens: readonly HeldToken[]
  readonly personalTokens: readonly HeldPersonalToken[]
  readonly favorites: HeldFavorites
  readonly integrations: readonly HeldIntegration[]
  readonly inviteLinks: readonly HeldInviteLink[]
  readonly settings: HeldSettings
  readonly applications: readonly HeldApplication[]
  readonly instances: readonly HeldInstance[]
  /** Number of usage counts and of matching events. Does not load them. */
  readonly amounts: { readonly usage: number; events(wish: EventWish): Promise<number> }
  /** Reads usage counts in chunks, so that memory use does not depend on their number. */
  usage(): AsyncIterable<readonly HeldUsage[]>
  /** Reads events in chunks, by ascending id. */
  events(wish: EventWish): AsyncIterable<readonly HeldEvent[]>
  /** Known differences after an import, and data that the source could not provide. */
  readonly notes: readonly Note[]
}

/** Creates an empty installation. */
export function emptyInstallation(origin: Origin): Installation {
  return {
    origin,
    ...{ environments: [], projects: [], roles: [], groups: [], users: [], memberships: [] },
    ...{ contextFields: [], flagTypes: [], tagTypes: [], tags: [], strategyTypes: [], segments: [], flags: [] },
    ...{ tokens: [], personalTokens: [], favorites: { flags: [], projects: [] }, integrations: [], inviteLinks: [] },
    ...{ settings: {}, applications: [], instances: [], notes: [] },
    amounts: { usage: 0, events: async () => 0 },
    usage: nothing,
    events: nothing,
  }
}

async function* nothing(): AsyncGenerator<never> {}
