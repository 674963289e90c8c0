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

/** Where an installation was read. */
export interface Origin {
  /** What it is, in words: `Unleash database`, `file of LaunchDarkly`. */
  readonly name: string
  /** Host and database, or file, without secrets. */
  readonly place: string
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number
  /** By which it is known again; undefined where it has none. */
  readonly instanceId?: string | undefined
  /** Id of the last event then; undefined where there are none. */
  readonly lastEventId: number | undefined
}

/**
 * What another service holds, as plain data in the words of this one. Names are carried as they are, be they ones that
 * could not be made here today. A source fills in what it has; the rest stays empty.
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
  /** All that there are, also those on no flag. */
  readonly tags: readonly HeldTag[]
  readonly strategyTypes: readonly HeldStrategyType[]
  readonly segments: readonly HeldSegment[]
  /** Archived ones too. */
  readonly flags: readonly HeldFlag[]
  readonly tokens: readonly HeldToken[]
  readonly personalTokens: readonly HeldPersonalToken[]
  readonly favorites: HeldFavorites
  readonly integrations: readonly HeldIntegration[]
  readonly inviteLinks: readonly HeldInviteLink[]
  readonly settings: HeldSettings
  readonly applications: readonly HeldApplication[]
  readonly instances: readonly HeldInstance[]
  /** How many counts and events there are, before they are read; of events, of those that are wanted. */
  readonly amounts: { readonly usage: number; events(wish: EventWish): Promise<number> }
  /** Read in parts, so that a million needs no more memory than a thousand. */
  usage(): AsyncIterable<readonly HeldUsage[]>
  /** In parts, by growing id. */
  events(wish: EventWish): AsyncIterable<readonly HeldEvent[]>
  /** What the source knows to be otherwise here than there, or could not give. */
  readonly notes: readonly Note[]
}

/** An installation that holds nothing, to be filled in. */
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
