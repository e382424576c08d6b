import { ArrowLeftRight, Bookmark, Keyboard, LogOut, Monitor, Moon, Phone, Plus, Settings, Sun } from 'lucide'
import { creatable, viewOf } from '../data/resource-views.ts'
import { placeOf, type SavedView } from '../saved-views/saved-views.ts'
import { environmentOf, href, inEnvironment, listPath } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { settingsSections } from '../settings/settings-sections.ts'
import { chooseTheme, theme } from '../settings/theme.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { t } from '../text/texts.ts'
import { menu } from './main-menu.ts'
import { panel } from './open-panel.ts'

/** Something to do: a page to go to, or an action. */
export interface Command {
  label: string
  subtitle?: string | null
  /** What a record was found by, if nothing else shows it. */
  matched?: string | undefined
  icon: unknown
  href?: string
  run?: () => void
}

/** A command for each kind of record. */
export function createCommands(): Command[] {
  return creatable().map((of) => ({
    label: viewOf(of).add,
    icon: Plus,
    run: () => {
      panel.value = { show: 'form', of }
    },
  }))
}

export function allCommands(): Command[] {
  return [
    ...createCommands(),
    logCommand(),
    ...goCommands(),
    environmentCommand(),
    ...themeCommands(),
    ...otherCommands(),
  ]
}

function logCommand(): Command {
  return {
    label: t('Log call'),
    icon: Phone,
    run: () => {
      panel.value = { show: 'log' }
    },
  }
}

/** A command for each saved view. */
export function viewCommands(views: readonly SavedView[]): Command[] {
  return views.map((view) => ({
    label: t('Go to {page}', { page: view.name }),
    subtitle: resourceOf(view.resource).plural,
    icon: Bookmark,
    href: placeOf(view),
  }))
}

function goCommands(): Command[] {
  const pages = menu().flatMap(({ entries }) => entries)
  const sections = settingsSections().map(({ name, label }) => ({
    page: `/settings/${name}`,
    label: `${t('Settings')}: ${label}`,
    icon: Settings,
  }))
  return [...pages, ...sections].map(({ page, label, icon }) => ({
    label: t('Go to {page}', { page: label }),
    icon,
    href: href(page),
  }))
}

function environmentCommand(): Command {
  const isLive = environmentOf(location.pathname) === 'live'
  return {
    label: isLive ? t('Switch to test data') : t('Switch to live data'),
    icon: ArrowLeftRight,
    href: inEnvironment(listPath(location.pathname), isLive ? 'test' : 'live'),
  }
}

function themeCommands(): Command[] {
  const all = [
    { name: 'light', label: t('Light appearance'), icon: Sun },
    { name: 'dark', label: t('Dark appearance'), icon: Moon },
    { name: 'system', label: t('Appearance as the system'), icon: Monitor },
  ] as const
  return all
    .filter(({ name }) => name !== theme.value)
    .map(({ name, label, icon }) => ({ label, icon, run: () => chooseTheme(name) }))
}

function otherCommands(): Command[] {
  return [
    {
      label: t('Keyboard shortcuts'),
      icon: Keyboard,
      run: () => {
        panel.value = { show: 'keys' }
      },
    },
    { label: t('Sign out'), icon: LogOut, run: () => void signOut() },
  ]
}

/** The commands that have, for each word of a text, a word that begins with it. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const wanted = wordsOf(text)
  return commands.filter(({ label }) => {
    const words = wordsOf(label)
    return wanted.every((part) => words.some((word) => word.startsWith(part)))
  })
}

/** The words without case and accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}
