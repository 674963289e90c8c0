import { Link } from '@tanstack/react-router'
import ui from '../ui.module.css'

/** Name of a flag as a link to its page. */
export function FlagLink({ project, feature }: { project: string; feature: string }) {
  return (
    <Link to="/projects/$project/features/$feature" params={{ project, feature }} className={ui.link ?? ''}>
      {feature}
    </Link>
  )
}
