import type { Project } from '@burgee/protocol/project'
import { useState } from 'react'
import { setProjectFavorite } from '../api/projects.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useTexts } from '../text/texts.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import { StarButton } from '../ui/page/star-button.tsx'

/**
 * Star that adds a project to the user's favorites. Favorites come first in lists, and a favorite is the first project
 * shown in a new browser.
 */
export function ProjectStar({ project: { id, name, favorite } }: { project: Project }) {
  const t = useTexts()
  const refetch = useRefetch()
  const [wanted, setWanted] = useState<boolean>()
  const save = async (isWanted: boolean): Promise<void> => {
    setWanted(isWanted)
    try {
      await setProjectFavorite(id, isWanted)
    } catch (error) {
      showFailure(t, t.list.favorite(name), error)
    }
    await refetch(['projects'])
    setWanted(undefined)
  }
  return (
    <StarButton
      label={t.list.favorite(name)}
      isOn={wanted ?? favorite}
      toggle={() => wanted === undefined && void save(!favorite)}
    />
  )
}
