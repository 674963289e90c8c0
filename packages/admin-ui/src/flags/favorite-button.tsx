import { useState } from 'react'
import { type FlagRef, setFavorite } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useTexts } from '../text/texts.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import styles from './flags.module.css'

/** Star that adds a flag to the user's favorites, which come first in lists. */
export function FavoriteButton({ isOne, ...flag }: FlagRef & { isOne: boolean }) {
  const t = useTexts()
  const refetch = useRefetch()
  const [wanted, setWanted] = useState<boolean>()
  // Every row would need its own `useMutation`.
  const save = async (isWanted: boolean): Promise<void> => {
    setWanted(isWanted)
    try {
      await setFavorite(flag, isWanted)
    } catch (error) {
      showFailure(t, t.list.favorite(flag.feature), error)
    }
    await refetch(['flags', flag.project], ['flag', flag.project, flag.feature])
    setWanted(undefined)
  }
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={wanted ?? isOne}
      aria-label={t.list.favorite(flag.feature)}
      onClick={() => wanted === undefined && void save(!isOne)}
    >
      <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true" strokeWidth="2" strokeLinejoin="round">
        <path d="M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9L6.7 20l1.1-6-4.4-4.2 6-.8z" />
      </svg>
    </button>
  )
}
