import type { Debug } from '@burgee/kit/log/logger'
import type { Tag } from '@burgee/protocol/event'
import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { ManifestType } from '@burgee/protocol/openfeature/manifest'
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { AccessTables } from './access/access-tables.ts'
import type { AdminTables } from './admin-tables.ts'
import type { ChangeRequestTables } from './change-requests/change-request-tables.ts'
import type { Bit, Json, Millis } from './columns.ts'
import type { CommentTables } from './features/comment-tables.ts'
import type { IntegrationTables } from './integrations/integration-tables.ts'
import type { ProjectTables } from './projects/project-tables.ts'
import type { SsoTables } from './sso/sso-tables.ts'
import type { LastAnswer } from './writing/last-answer.ts'

/** All tables. Names that SDKs and people use (flags, projects, environments) are keys; the rest has ids. */
export interface Schema
  extends AccessTables,
    AdminTables,
    ChangeRequestTables,
    CommentTables,
    IntegrationTables,
    ProjectTables,
    SsoTables {
  features: {
    name: string
    project: string
    type: string
    description: string | null
    stale: Bit
    impression_data: Bit
    created_at: Millis
    archived_at: Millis | null
    last_seen_at: Millis | null
    /** Older than its type is meant to live, as was found at the last look. */
    potentially_stale: Generated<Bit>
    /** As the event of its creation names its maker; null where there is none any more. */
    created_by: Generated<string | null>
    created_by_user_id: Generated<number | null>
  }
  /** What a flag was declared with, and the default of that type as JSON. */
  feature_values: { feature_name: string; value_type: ManifestType; default_value: string }
  /** Stages that a flag has reached: 'pre-live', 'live', 'completed'. */
  feature_stages: {
    feature_name: string
    stage: 'pre-live' | 'live' | 'completed'
    entered_at: Millis
    /** Of completed ones: 'kept' or 'discarded'. */
    status: string | null
    status_value: string | null
  }
  feature_environments: {
    feature_name: string
    environment: string
    enabled: Bit
    variants: Json<VariantDefinition[]>
    last_seen_at: Millis | null
  }
  feature_strategies: {
    id: string
    feature_name: string
    environment: string
    name: string
    title: string | null
    disabled: Bit
    parameters: Json<Record<string, string>>
    constraints: Json<Constraint[]>
    variants: Json<VariantDefinition[]>
    sort_order: number
    created_at: Millis
  }
  feature_strategy_segments: { strategy_id: string; segment_id: number }
  segments: {
    id: Generated<number>
    name: string
    description: string | null
    project: string | null
    constraints: Json<Constraint[]>
    created_by: string
    created_at: Millis
  }
  tag_types: { name: string; description: string | null; icon: string | null }
  tags: { type: string; value: string }
  feature_tags: { feature_name: string; type: string; value: string }
  feature_dependencies: { child: string; parent: string; enabled: Bit; variants: Json<string[]> }
  api_tokens: {
    /** Stable public id: may be shown and put into URLs. */
    id: string
    /** SHA-256 of the whole token, hex; the token itself is nowhere. */
    hash: string
    /** What lists show: `default:development.ab…`. */
    masked: string
    name: string
    type: string
    /** '*' on admin tokens. */
    environment: string
    /** 1: all projects, also those to come; 0: those of api_token_projects, so that losing the last means none. */
    all_projects: Bit
    expires_at: Millis | null
    created_at: Millis
    seen_at: Millis | null
  }
  /** Secrets of tokens under the key of BURGEE_SECRET_KEY, of those that lists show. */
  api_token_secrets: { token_id: string; sealed: string }
  /** Second secrets of tokens: SHA-256, as of the first one. */
  api_token_aliases: { hash: string; token_id: string }
  api_token_projects: { token_id: string; project: string }
  /** Who used a token last, as they say themselves: one row for each token that was used. */
  api_token_callers: {
    token_id: string
    app_name: string | null
    instance_id: string | null
    sdk_version: string | null
    seen_at: Millis
  }
  /** Flags that nobody wants to be reminded of until a date. */
  feature_snoozes: { feature_name: string; until: Millis; created_by: string }
  events: {
    /** Grows with every event in the order of commits; never used twice. */
    id: Generated<number>
    created_at: Millis
    type: string
    created_by: string
    created_by_user_id: number
    project: string | null
    environment: string | null
    feature_name: string | null
    data: Json<unknown>
    pre_data: Json<unknown>
    tags: Json<Tag[]>
    /** Whose download changes: null nobody's, '' every environment's, else this environment's. */
    reach: string | null
    /** Address of the caller. */
    address: string | null
    /** What undoing it needs to know besides what it says (see services/history); never shown. */
    undo: ColumnType<unknown, string | null | undefined, string | null>
  }
  client_metrics: { environment: string; app_name: string; feature_name: string; hour: Millis; yes: number; no: number }
  client_metrics_variants: {
    environment: string
    app_name: string
    feature_name: string
    hour: Millis
    variant: string
    count: number
  }
  client_applications: {
    app_name: string
    strategies: Json<string[]>
    first_seen_at: Millis
    last_seen_at: Millis
    /** What people note about it. */
    description: Generated<string | null>
    url: Generated<string | null>
    color: Generated<string | null>
    icon: Generated<string | null>
    /** Whether only holders of public tokens have spoken of it. */
    by_public_token: Generated<Bit>
  }
  /** For which projects and environments it has registered; `*` for tokens of all projects. */
  client_application_reach: { app_name: string; project: string; environment: string }
  client_instances: {
    app_name: string
    instance_id: string
    environment: string
    sdk_version: string | null
    address: string | null
    last_seen_at: Millis
    by_public_token: Generated<Bit>
    first_seen_at: Generated<Millis | null>
  }
  /** Projects of the tokens by which an instance registered, or `*`. An instance without any is of unknown origin. */
  client_instance_projects: { app_name: string; instance_id: string; environment: string; project: string }
  /** Names of no flag that SDKs ask for: the newest, whoever asks. */
  unknown_flags: { name: string; app_name: string; environment: string; last_seen_at: Millis }
  /** Projects of the tokens by which a name was requested, or `*`. A name without any is of unknown origin. */
  unknown_flag_projects: { name: string; app_name: string; environment: string; project: string }
  settings: { name: string; value: string }
  /** What changes without an event: see change-marks.ts. */
  change_marks: { name: string; revision: number }
  /** One row: which life of the database this is, and on PostgreSQL where the row was written (see epochs.ts). */
  database_epoch: { epoch: string; origin: string | null; begun_at: Generated<Millis | null> }
}

/** Columns that hold JSON, in whichever table: the drivers parse them by these names. */
export const JSON_COLUMNS = [
  'data',
  'pre_data',
  'undo',
  'tags',
  'parameters',
  'constraints',
  'variants',
  'strategies',
  'legal_values',
  'default_strategy',
  'link_templates',
  'open_parameters',
  'sealed_parameters',
  'event_types',
  'only_projects',
  'only_environments',
  'mappings_sso',
  'state_times',
  'payload',
  'base',
] as const

/** What queries for reading take: a database or a transaction, without the methods that write. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom' | 'fn'>

/** A running transaction; the only handle that can write. Inside one, use nothing else. */
export type Tx = Transaction<Schema>

/**
 * What a change wants to know first, and what it is about: it touches nothing else, and what it reads nobody touches who is
 * about something else. So it can be read before changes that come first have written.
 */
export interface ReadAhead<K> {
  readonly about: string
  readonly read: (reader: Reader) => Promise<K>
}

/** An open database. Everything that writes goes through `execute` or `record`, which call these. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** Single queries on committed data. Writing through it fails in the database. */
  readonly reader: Reader
  /** Several queries on one and the same state. */
  view<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** The same for what may take long: it keeps no connection from who reads a little. */
  scan<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /**
   * One change under the writer lock: nobody else's ids appear between its own, and they appear in order. Changes that
   * wait at once share a transaction, which the change neither sees nor ends; it awaits nothing else in it. A statement
   * that answers no rows may not be waited for: how many it has touched is not known, and its error is the change's. With
   * `returning` it is. One that ends with a last answer may run again after it was undone: it does nothing but its
   * statements. Other nodes hear of it where that has events. What it is given to know was read ahead for it, where that
   * could be done.
   */
  write<T, K = never>(
    work: (tx: Tx, known: Promise<K> | undefined) => Promise<T | LastAnswer<T>>,
    ahead?: ReadAhead<K>,
  ): Promise<T>
  /** One transaction without the writer lock where the database can: for counters, not for events. */
  count<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Present where other nodes may write to the same database: calls `hint` when there may be new events, and `trouble`
   * when it cannot tell for a while. Hints may be lost, late, repeated or wrong.
   */
  watch?(hint: () => void, trouble: (error: unknown) => void): Watch
  /** Begins a new life: another epoch, from the database's own dice. */
  renewEpoch(tx: Tx): Promise<void>
  /** Throws DatabaseGone where what is committed now would be lost: the file is not any more where it was. */
  requirePresent(): void
  /** Present where the file keeps room that rows have left: gives some of it back; answers whether there is more. */
  reclaim?(): Promise<boolean>
  /** Present where connections are pooled. */
  pools?(): readonly PoolState[]
  /**
   * Present where another server may take over: grows when one does. What was read in one generation must not be put
   * together with what was read in another.
   */
  generation?(): number
  /** Present where it is on a server: which one, and whether changes can be written. */
  server?(): ServerStatus
  /** Waits for what runs and closes. */
  close(): Promise<void>
}

/** The server that a database is on. */
export interface ServerStatus {
  /** Undefined before the first session with it. */
  readonly primary:
    | { readonly address: string; readonly cluster: string | undefined; readonly timeline: number | undefined }
    | undefined
  /** Why changes cannot be written, and since when, in milliseconds since 1970; undefined where they can. */
  readonly refusal: { readonly reason: string; readonly sinceMs: number } | undefined
}

/** Something that listens until it is closed. */
export interface Watch {
  close(): Promise<void>
}

/** How a query ended. */
export interface QueryOutcome {
  readonly durationMs: number
  /** Undefined where it did not fail. */
  readonly error: unknown
}

/** Connections of one pool now. */
export interface PoolState {
  readonly pool: 'writing' | 'counting' | 'reading' | 'scanning'
  readonly busy: number
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
  /** How many there may be, and how many stay open without use, where that is not how many there are. */
  readonly most?: number | undefined
  readonly least?: number | undefined
}

/** What a driver may be given. */
export interface DatabaseOptions {
  readonly clock: () => number
  /** Takes the tables as they are, beside a server that may be running: they must be those of this program. */
  readonly asGuest?: boolean
  /** Sees the text of every query and how it ended: for series, and for tests that count them. */
  readonly onQuery?: ((sql: string, outcome: QueryOutcome) => void) | undefined
  /** Hears of what is done step by step. */
  readonly debug?: Debug | undefined
  /** After this, changes that share a transaction take no further one; a tenth of a second where nothing is said. */
  readonly longestTurnMs?: number | undefined
}

/** The generation of a database; one that is on no server has only one. */
export function generationOf(db: Pick<Database, 'generation'>): number {
  return db.generation?.() ?? 0
}
