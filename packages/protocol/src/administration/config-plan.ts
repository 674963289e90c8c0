import Type, { type Static } from 'typebox'
import { CONFIG_FILE_KINDS } from './config-files.ts'
import { Impact } from './impact.ts'

/** Maximum number of files for one project. */
export const MAX_CONFIG_FILES = 20_000
/** Maximum length of a file in characters: enough for a constraint with 10,000 values. */
export const MAX_CONFIG_FILE_LENGTH = 524_288

const Path = Type.String({ minLength: 1, maxLength: 1000 })

/** File with its path, relative to the folder of the project. */
export const ConfigFile = Type.Object({
  path: Path,
  content: Type.String({ maxLength: MAX_CONFIG_FILE_LENGTH }),
})
export type ConfigFile = Static<typeof ConfigFile>

/** Selection for an export: one flag with the objects that it uses, or all flags of a project. */
export const ConfigExportQuery = Type.Object({ flag: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) })

/** Files of a project, sorted by path. The same state always produces the same files. */
export const ConfigExport = Type.Object({ files: Type.Array(ConfigFile) })
export type ConfigExport = Static<typeof ConfigExport>

/**
 * Version of the files, identified by a repository and a commit. The version is stored with the events and change
 * requests that an apply creates.
 */
export const ConfigSource = Type.Object({
  repository: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\s@]+$' }),
  commit: Type.String({ minLength: 7, maxLength: 64, pattern: '^[0-9a-fA-F]+$' }),
})
export type ConfigSource = Static<typeof ConfigSource>

/** Body of a plan. */
export const ConfigPlanRequest = Type.Object({
  files: Type.Array(ConfigFile, { maxItems: MAX_CONFIG_FILES }),
  /** True to also archive flags, and delete segments of the project, that no file describes. */
  prune: Type.Optional(Type.Boolean()),
  /** Environment to which the plan is limited. */
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  source: Type.Optional(ConfigSource),
})
export type ConfigPlanRequest = Static<typeof ConfigPlanRequest>

/** Body of an apply: the files of a plan, and the hash of that plan. */
export const ConfigApplyRequest = Type.Object({
  ...ConfigPlanRequest.properties,
  plan: Type.String({ minLength: 1, maxLength: 100 }),
})
export type ConfigApplyRequest = Static<typeof ConfigApplyRequest>

/** Change that an apply would make. */
export const ConfigChange = Type.Object({
  kind: Type.Enum([...(Object.keys(CONFIG_FILE_KINDS) as (keyof typeof CONFIG_FILE_KINDS)[])]),
  name: Type.String(),
  /** Flag to which the change applies; absent for other objects. */
  flag: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  sentence: Type.String(),
  /**
   * True if the change turns a flag on or, for a flag that is on, starts a milestone or removes all constraints or
   * segments of a strategy.
   */
  enables: Type.Optional(Type.Boolean()),
  /**
   * Impact of the plan on sampled evaluations of this flag in this environment; the same for all changes of the plan to
   * the flag in the environment. Absent if it was not computed.
   */
  impact: Type.Optional(Impact),
})
export type ConfigChange = Static<typeof ConfigChange>

/** Object that no file describes, and that is preserved although the plan prunes. */
export const KeptObject = Type.Object({ kind: Type.String(), name: Type.String(), reason: Type.String() })
export type KeptObject = Static<typeof KeptObject>

/** Reason why an apply would fail, or a warning, and the object or environment that it concerns. */
export const ConfigObstacle = Type.Object({ kind: Type.String(), name: Type.String(), reason: Type.String() })
export type ConfigObstacle = Static<typeof ConfigObstacle>

/** Impact of a plan on the sampled evaluations of a flag in an environment. */
export const FlagImpact = Type.Object({ flag: Type.String(), environment: Type.String(), impact: Impact })
export type FlagImpact = Static<typeof FlagImpact>

/** Object that its file no longer manages after an apply, and the path that the file had. */
export const ReleasedObject = Type.Object({ kind: Type.String(), name: Type.String(), path: Type.String() })
export type ReleasedObject = Static<typeof ReleasedObject>

/** Changes that bring a project into the state that its files describe. */
export const ConfigPlan = Type.Object({
  /**
   * Hash of the plan; an apply must send it. The hash changes whenever the files or the state of the project change.
   */
  plan: Type.String(),
  /** Id of the last event that concerns the project or the objects that all projects share. */
  revision: Type.Integer(),
  changes: Type.Array(ConfigChange),
  /** Changes that archive a flag or delete a segment. */
  destructive: Type.Array(ConfigChange),
  /** Protected environments, in which an apply creates a change request instead of making the changes. */
  needsChangeRequest: Type.Array(Type.String()),
  /** Permissions that the caller would need to apply the plan but lacks. */
  missingPermissions: Type.Array(Type.String()),
  kept: Type.Array(KeptObject),
  /** Reasons why an apply would fail. */
  obstacles: Type.Array(ConfigObstacle),
  /** Values of the changes that official SDKs interpret differently. */
  warnings: Type.Array(ConfigObstacle),
  /** Objects whose file is gone, so that an apply with this `source` ends their management. */
  released: Type.Array(ReleasedObject),
  /**
   * Impact on each flag and sampled environment that the plan affects, also by a changed segment or parent, or by
   * archiving the flag.
   */
  impacts: Type.Array(FlagImpact),
  /** True if `impacts` omits flags because the plan is too large or the caller may not make its changes. */
  isImpactIncomplete: Type.Boolean(),
})
export type ConfigPlan = Static<typeof ConfigPlan>

/** Result of an apply. */
export const ConfigApplyResult = Type.Object({
  /** Number of changes that were made. */
  applied: Type.Integer(),
  changeRequests: Type.Array(
    Type.Object({ id: Type.Integer(), environment: Type.String(), changes: Type.Integer(), title: Type.String() }),
  ),
})
export type ConfigApplyResult = Static<typeof ConfigApplyResult>

/** Mistake in a file. If a plan fails, the error lists the mistakes as `mistakes`. */
export const ConfigMistake = Type.Object({
  file: Type.String(),
  line: Type.Integer(),
  property: Type.String(),
  message: Type.String(),
})
export type ConfigMistake = Static<typeof ConfigMistake>
