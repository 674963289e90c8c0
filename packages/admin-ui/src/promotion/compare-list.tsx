import { type ComparedFlag, MAX_PROMOTED_FLAGS } from '@burgee/protocol/administration/promotion'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayChange } from '../proposals/may-change.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { CompareRows } from './compare-rows.tsx'
import styles from './promotion.module.css'
import { type ComparedEnvironments, getComparisonQuery } from './promotion-calls.ts'
import { PROMOTION_TEXTS } from './texts.ts'

const PromotePanel = lazyDialog('PromotePanel', async () => (await import('./promote-panel.tsx')).PromotePanel)
/** Permissions to promote parts of a flag, at least one of which the user needs. */
const PROMOTION_PERMISSIONS = [
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
]

interface Props {
  readonly compared: ComparedEnvironments
  /** True if flags without differences are shown, too. */
  readonly isWhole: boolean
  readonly setWhole: (isWhole: boolean) => void
  /** Shows all flags instead of only the named ones. */
  readonly showAll: () => void
}

/** List of compared flags, differing flags first. */
export function CompareList(props: Props) {
  const answer = useQuery(getComparisonQuery(props.compared))
  return <Loaded answer={answer}>{(flags) => <Flags {...props} flags={flags} />}</Loaded>
}

function Flags({ compared, isWhole, setWhole, showAll, flags }: Props & { readonly flags: readonly ComparedFlag[] }) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { project, from, to } = compared
  const may = useMayChange(project)
  const mayPromote = PROMOTION_PERMISSIONS.some((right) => may(right, { project, environment: to }))
  const isFound = ({ name }: ComparedFlag) => name.toLowerCase().includes(text.trim().toLowerCase())
  const differing = flags.filter(({ differences }) => differences.length > 0)
  const equalCount = flags.length - differing.length
  // A flag that has become equal is no longer selected.
  const picked = new Set(differing.flatMap(({ name }) => (chosen.has(name) ? [name] : [])))
  const shown = [...differing, ...(isWhole ? flags.filter(({ differences }) => differences.length === 0) : [])]
  const found = shown.filter(isFound)
  return (
    <>
      <Filters
        compared={compared}
        isWhole={isWhole}
        setWhole={setWhole}
        showAll={showAll}
        text={text}
        setText={setText}
        equalCount={equalCount}
        count={differing.length}
      />
      {found.length > 0 ? (
        <CompareRows
          compared={compared}
          chosen={mayPromote ? picked : undefined}
          flags={found}
          choose={(name) => setChosen(toggleName(picked, name))}
        />
      ) : (
        <Notice title={shown.length > 0 ? t.noMatch : t.allEqual}>
          {shown.length > 0 ? t.noMatchText : t.allEqualText(from, to)}
        </Notice>
      )}
      {mayPromote && differing.length > 0 && (
        <SelectionBar
          compared={compared}
          setChosen={setChosen}
          chosen={picked}
          differing={found.filter(({ differences }) => differences.length > 0)}
        />
      )}
    </>
  )
}

function toggleName(chosen: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return chosen.has(name) ? new Set([...chosen].filter((one) => one !== name)) : new Set([...chosen, name])
}

type FilterProps = Props & {
  readonly text: string
  readonly setText: (text: string) => void
  /** Number of flags that differ, and of flags that are equal. */
  readonly count: number
  readonly equalCount: number
}

/** Filters for the list, with the totals. */
function Filters({ compared, isWhole, setWhole, showAll, text, setText, count, equalCount }: FilterProps) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const { number } = useFormat()
  return (
    <div className={styles.filters}>
      <TextInput
        aria-label={t.find}
        placeholder={t.find}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        label={t.onlyDifferences}
        checked={!isWhole}
        onChange={(event) => setWhole(!event.currentTarget.checked)}
      />
      {compared.flags !== undefined && (
        <span className={styles.only}>
          {t.onlyChosen(compared.flags.length)}
          <Button size="compact-sm" variant="subtle" onClick={showAll}>
            {t.showAll}
          </Button>
        </span>
      )}
      <span className={styles.counts} role="status">
        {t.differ(count, number(count))}, {t.equal(equalCount, number(equalCount))}
      </span>
    </div>
  )
}

interface BarProps {
  readonly compared: ComparedEnvironments
  readonly chosen: ReadonlySet<string>
  readonly setChosen: (chosen: ReadonlySet<string>) => void
  /** Displayed flags that differ. */
  readonly differing: readonly ComparedFlag[]
}

/** Bar with the number of selected flags and the actions for the selection. */
function SelectionBar({ compared: { project, from, to }, chosen, setChosen, differing }: BarProps) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const { number } = useFormat()
  const [isOpen, setOpen] = useState(false)
  /** Number of flags that differ between the environments; set only if "select all" stopped at the maximum. */
  const [cutOf, setCutOf] = useState<number>()
  const isTooMany = chosen.size > MAX_PROMOTED_FLAGS
  const close = (): void => setOpen(false)
  const chooseAll = (): void => {
    const names = differing.map(({ name }) => name)
    const isCut = names.length > MAX_PROMOTED_FLAGS
    setCutOf(isCut ? names.length : undefined)
    setChosen(new Set(isCut ? names.slice(0, MAX_PROMOTED_FLAGS) : [...chosen, ...names]))
  }
  return (
    <div
      className={styles.bar}
      data-selected={chosen.size > 0 || undefined}
      role="toolbar"
      aria-label={t.chosen(chosen.size, number(chosen.size))}
    >
      <Button size="compact-sm" variant="subtle" onClick={chooseAll}>
        {t.chooseAll}
      </Button>
      {chosen.size > 0 && (
        <>
          <strong role="status">
            {cutOf !== undefined && chosen.size === MAX_PROMOTED_FLAGS
              ? t.chosenFirst(number(chosen.size), number(cutOf))
              : t.chosen(chosen.size, number(chosen.size))}
          </strong>
          <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
            {t.clear}
          </Button>
          <span className={styles.grow} />
          {isTooMany ? (
            <span role="alert">{t.atMost(number(MAX_PROMOTED_FLAGS))}</span>
          ) : (
            <Button size="compact-md" onClick={() => setOpen(true)}>
              {t.promoteTo(to)}
            </Button>
          )}
        </>
      )}
      {isOpen && (
        <PromotePanel
          title={t.promoteTitle(chosen.size, to)}
          place={{ project, environment: to }}
          sources={[from]}
          features={[...chosen]}
          parts={['strategies', 'variants']}
          close={close}
        />
      )}
    </div>
  )
}
