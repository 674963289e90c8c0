import { useState } from 'react'
import { type FlagRef, setFavorite } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useTexts } from '../text/texts.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import { StarButton } from '../ui/page/star-button.tsx'

/** Star that adds a flag to the user's favorites, which come first in lists. */
export function FavoriteButton({ isOne, ...flag }: FlagRef & { isOne: boolean }) {
  const t = useTexts()
  const refetch = useRefetch()
  const [wanted, setWanted] = useState<boolean>()
  // Does not use `useMutation`, because each row of the list would need its own.
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
    <StarButton
      label={t.list.favorite(flag.feature)}
      isOn={wanted ?? isOne}
      toggle={() => wanted === undefined && void save(!isOne)}
    />
  )
}
