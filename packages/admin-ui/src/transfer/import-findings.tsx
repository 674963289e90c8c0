import type { FeatureImport, ImportFindings } from '@burgee/protocol/administration/feature-transfer'
import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { Alert, Text } from '@mantine/core'
import { PERMISSION_NAMES } from '../roles/permission-names.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { TRANSFER_TEXTS } from './texts.ts'
import styles from './transfer.module.css'

type FindingTexts = (typeof TRANSFER_TEXTS)['en']['findings']
type Finding = ImportFindings['errors'][number]

const MAX_NAMED = 20

/** Patterns of the server's findings, with their translations. */
const FINDING_PATTERNS: readonly (readonly [RegExp, keyof FindingTexts])[] = [
  [/custom strategy that needs to be created/, 'strategies'],
  [/matching legal values/, 'values'],
  [/already exist in other projects/, 'elsewhere'],
  [/duplicate in your import data/, 'twice'],
  [/segments that need to be created/, 'segments'],
  [/dependencies that need to be created/, 'parents'],
  [/strategy types will be used/, 'types'],
  [/currently archived/, 'archived'],
  [/will be overwritten/, 'replaced'],
  [/requires change requests/, 'guarded'],
  [/belong to other projects/, 'foreignSegments'],
  [/created from the import data/, 'newSegments'],
  [/other constraints here/, 'otherSegments'],
  [/match everyone/, 'openSegments'],
  [/on without an enabled strategy.*turned off here/, 'closed'],
  [/on without an enabled strategy/, 'unguarded'],
]

/** Returns the names of flags that the import skips. */
export const listSkippedFlags = ({ warnings }: ImportFindings): readonly string[] => {
  const isAboutThem = (message: string) =>
    FINDING_PATTERNS.some(([pattern, key]) => key === 'archived' && pattern.test(message))
  return warnings.find(({ message }) => isAboutThem(message))?.affectedItems ?? []
}

/** Returns true if the document contains flags that are on without an enabled strategy. */
export const hasUnguarded = ({ warnings }: ImportFindings): boolean =>
  warnings.some(({ message }) =>
    FINDING_PATTERNS.some(([pattern, key]) => key === 'unguarded' && pattern.test(message)),
  )

/** Findings about an import: errors, warnings and missing permissions. */
export function Findings({ input, findings }: { input: FeatureImport; findings: ImportFindings }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  const { number } = useFormat()
  const { features } = input.data
  const { errors, warnings, permissions } = findings
  const rights = usePermissionNames(permissions)
  return (
    <>
      <Text>
        <strong>{t.found(features.length, number(features.length))}</strong> {t.comesTo}{' '}
        <EnvironmentChip name={input.environment} />
      </Text>
      {errors.length > 0 && <List color="red" title={t.errors} found={errors} />}
      {rights.length > 0 && (
        <Alert color="red" role="alert" title={t.missingRights}>
          {rights.join(', ')}
        </Alert>
      )}
      {warnings.length > 0 && <List color="yellow" title={t.warnings} found={warnings} />}
      {errors.length + rights.length + warnings.length === 0 && (
        <Alert color="teal" role="status">
          {t.nothingFound}
        </Alert>
      )}
    </>
  )
}

function List({ color, title, found }: { color: string; title: string; found: readonly Finding[] }) {
  const t = useCatalogue(TRANSFER_TEXTS)
  return (
    <Alert color={color} role="alert" title={title}>
      <ul className={styles.found}>
        {found.map(({ message, affectedItems }) => (
          <li key={message}>
            {translateFinding(message, t.findings)} <strong>{formatNames(affectedItems, t.andMore)}</strong>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

const translateFinding = (message: string, t: FindingTexts): string => {
  const key = FINDING_PATTERNS.find(([pattern]) => pattern.test(message))?.[1]
  return key === undefined ? message : t[key]
}

function formatNames(names: readonly string[], andMore: (count: number) => string): string {
  const rest = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` ${andMore(rest)}` : ''}`
}

/**
 * Returns the missing permissions with their labels from the permission table. The server itself sends only English
 * display names.
 */
function usePermissionNames(permissions: ImportFindings['permissions']): string[] {
  const permissionNames = useCatalogue(PERMISSION_NAMES)
  return permissions.flatMap(({ affectedItems }) =>
    affectedItems.map(
      (item) => permissionNames[PERMISSIONS.find(({ displayName }) => displayName === item)?.name ?? ''] ?? item,
    ),
  )
}
