import type { PlaygroundResponse, PlaygroundResult } from '@burgee/protocol/playground'
import { Badge, Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Notice } from '../ui/page/problem.tsx'
import ui from '../ui/ui.module.css'
import type { PlaygroundSearch } from './search-params.ts'
import { PLAYGROUND_TEXTS } from './texts.ts'

const ROWS_PER_STEP = 100

interface Props {
  readonly response: PlaygroundResponse
  readonly search: PlaygroundSearch
  readonly go: (search: PlaygroundSearch, replace?: boolean) => void
}

/** Table of results with one row per flag and one column per environment. */
export function Results({ response, search, go }: Props) {
  const { common, flags: words } = useTexts()
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const [most, setMost] = useState(ROWS_PER_STEP)
  const { q: _, ...rest } = search
  const wanted = (search.q ?? '').toLowerCase()
  const flags = response.features.filter(({ name }) => name.toLowerCase().includes(wanted))
  const environments = [...new Set(response.input.environments)]
  return (
    <>
      <TextInput
        type="search"
        aria-label={t.filter}
        placeholder={t.filter}
        defaultValue={search.q ?? ''}
        mb="sm"
        onChange={({ currentTarget: { value: q } }) => go(q === '' ? rest : { ...rest, q }, true)}
      />
      {flags.length === 0 ? (
        <Notice title={wanted === '' ? t.noFlags : words.noMatch} />
      ) : (
        <div className={`${ui.card} ${ui.scroller}`}>
          <table className={ui.table} aria-label={t.result}>
            <thead>
              <tr>
                <th scope="col">{t.flag}</th>
                {environments.map((name) => (
                  <th key={name} scope="col">
                    <EnvironmentChip name={name} />
                  </th>
                ))}
                <th scope="col">{t.whyTitle}</th>
              </tr>
            </thead>
            <tbody>
              {flags.slice(0, most).map((flag) => (
                <Row
                  key={flag.name}
                  flag={flag}
                  environments={environments}
                  explain={() => go({ ...search, flag: flag.name })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {flags.length > most && (
        <Button variant="default" mt="md" onClick={() => setMost(most + ROWS_PER_STEP)}>
          {common.more}
        </Button>
      )}
    </>
  )
}

interface RowProps {
  readonly flag: PlaygroundResponse['features'][number]
  readonly environments: readonly string[]
  readonly explain: () => void
}

function Row({ flag, environments, explain }: RowProps) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  return (
    <tr>
      <th scope="row">
        <Link
          to="/projects/$project/features/$feature"
          params={{ project: flag.projectId, feature: flag.name }}
          className={ui.link ?? ''}
        >
          {flag.name}
        </Link>
      </th>
      {environments.map((name) => (
        <td key={name}>
          <OutcomeCell results={flag.environments[name] ?? []} />
        </td>
      ))}
      <td>
        <Button size="compact-sm" variant="default" aria-label={t.why(flag.name)} onClick={explain}>
          {t.whyTitle}
        </Button>
      </td>
    </tr>
  )
}

/** Badge with the result; if there are several contexts, badges with the count of each result. */
function OutcomeCell({ results }: { results: readonly PlaygroundResult[] }) {
  const counts = Map.groupBy(results, (result) => `${result.isEnabled} ${getVariantName(result)}`)
  return [...counts].map(([key, [first, ...more]]) => (
    <span key={key}>{first && <Outcome result={first} count={more.length + 1} isOne={counts.size === 1} />} </span>
  ))
}

/** Returns the name of the variant in a result; empty if it has none. */
export function getVariantName({ isEnabled, variant }: PlaygroundResult): string {
  return isEnabled && variant?.enabled ? variant.name : ''
}

/** Badge with on or off, the variant and the count. */
export function Outcome({
  result,
  count = 1,
  isOne = true,
}: {
  result: PlaygroundResult
  count?: number
  isOne?: boolean
}) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { isEnabled, strategies, isEnabledInCurrentEnvironment } = result
  const isUnknown = !isEnabled && isEnabledInCurrentEnvironment && strategies.result === 'unknown'
  const variant = getVariantName(result)
  const text = isEnabled ? t.on : isUnknown ? t.unknown : t.off
  return (
    <Badge color={isUnknown ? 'yellow' : 'teal'} variant={isEnabled ? 'filled' : 'default'} tt="none">
      {text}
      {variant !== '' && ` · ${t.variant(variant)}`}
      {!isOne && ` × ${count}`}
    </Badge>
  )
}
