import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { SelfTarget } from '@burgee/protocol/administration/self-target'
import { Button, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagEnvironment } from '../../api/flags.ts'
import { endSelfTarget, getSelfTargetsQuery } from '../../api/self-targets.ts'
import { usePermissionCheck } from '../../shell/session/session.tsx'
import { useCatalogue, useFormat } from '../../text/texts.tsx'
import { useAction } from '../../ui/messages/use-action.ts'
import { RowButton } from '../../ui/page/row-button.tsx'
import { GiveFlag } from './give-flag.tsx'
import { OVERRIDE_TEXTS } from './override-texts.ts'
import styles from './testing.module.css'

interface Props {
  readonly flag: AdminFeature
  /** User ID that the user has entered in the test panel; empty if there is none. */
  readonly userId: string
}

/** Users who get the flag for a limited time, with a button that adds one. */
export function Overrides({ flag, userId }: Props) {
  const t = useCatalogue(OVERRIDE_TEXTS)
  const may = usePermissionCheck()
  const [isOpen, setOpen] = useState(false)
  const { project, name: feature } = flag
  const environments = flag.environments.filter(
    ({ name, enabled }) => enabled && may('CREATE_FEATURE_STRATEGY', { project, environment: name }),
  )
  const places = flag.environments.map(({ name: environment }) => ({ project, feature, environment }))
  const answers = useQueries({ queries: places.map(getSelfTargetsQuery) })
  const rows = places.flatMap((place, index) => (answers[index]?.data ?? []).map((override) => ({ place, override })))
  const mayChange = flag.environments.some(({ name }) => may('CREATE_FEATURE_STRATEGY', { project, environment: name }))
  if (rows.length === 0 && !mayChange) return null
  return (
    <section aria-label={t.title} className={styles.overrides}>
      <h3>{t.title}</h3>
      <Text size="sm" c="dimmed">
        {environments.length === 0 && rows.length === 0 ? t.off : t.intro}
      </Text>
      {rows.map(({ place, override }) => (
        <Override key={override.id} place={place} override={override} />
      ))}
      {environments.length > 0 && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
          {t.give}
        </Button>
      )}
      {isOpen && <GiveFlag flag={flag} environments={environments} userId={userId} close={() => setOpen(false)} />}
    </section>
  )
}

function Override({ place, override }: { readonly place: FlagEnvironment; readonly override: SelfTarget }) {
  const t = useCatalogue(OVERRIDE_TEXTS)
  const { ago, time } = useFormat()
  const may = usePermissionCheck()
  const act = useAction()
  const { id, userId, variant, expiresAt } = override
  const end = () =>
    act({
      what: t.end(userId),
      run: () => endSelfTarget(place, id),
      done: t.ended(userId),
      changes: ['self-targets', 'flag', 'playground'],
    })
  return (
    <p className={styles.override}>
      <span>
        <strong>{userId}</strong>
        {variant !== null && ` (${variant})`}, {place.environment}, {t.until} {time(expiresAt)} ({ago(expiresAt)})
      </span>
      {may('CREATE_FEATURE_STRATEGY', place) && (
        <RowButton label={t.end(userId)} text={t.endAction} isDanger act={end} />
      )}
    </p>
  )
}
