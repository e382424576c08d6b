import { approaches, type Chore, chores } from './chores.ts'
import { type Company, jobTitles } from './companies.ts'
import type { Diary, Draft } from './diary.ts'
import { type Product, products, type Season } from './products.ts'
import { Deck, type Random } from './random.ts'
import { type Defeat, defeats, farewells, type Talk, talks, verdicts, victories } from './talks.ts'

/** The working days, from the demo's day, on which the open tasks are due: some are late, some due today, this week and next week. */
const dueDays = [-2, -1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 9]

interface Mailbox {
  readonly name: string
  readonly address: string
}

/** Who and what an activity or a task is about. */
export interface Subject {
  readonly company: Company
  readonly owner: string
  /** Whom the company writes to. */
  readonly person: Mailbox
  readonly references: { readonly organization_id: Draft; readonly contact_id: Draft; readonly deal_id?: Draft }
  /** What the names in texts stand for. */
  readonly words: Readonly<Record<string, string>>
}

/** What the stories of all companies share. Each text is used again only after all others. */
export interface Cast {
  readonly random: Random
  readonly diary: Diary
  readonly userIds: readonly string[]
  readonly stageIds: readonly string[]
  /** The users' mail addresses, by the ids of the users. */
  readonly mailboxes: ReadonlyMap<string, Mailbox>
  readonly decks: {
    readonly talks: readonly Deck<Talk>[]
    readonly chores: readonly Deck<Chore>[]
    readonly approaches: Deck<Chore>
    readonly victories: Deck<string>
    readonly defeats: Deck<Defeat>
    readonly farewells: Deck<string>
    readonly verdicts: Readonly<Record<number, Deck<string>>>
    readonly products: Readonly<Record<Season, Deck<Product>>>
    readonly titles: { readonly primary: Deck<string>; readonly other: Deck<string> }
    readonly dueDays: Deck<number>
  }
}

export function shuffle(random: Random): Cast['decks'] {
  const deck = <T>(items: readonly T[]) => new Deck(random, items)
  const decks = <K extends PropertyKey, T>(lists: Readonly<Record<K, readonly T[]>>) =>
    Object.fromEntries(Object.entries<readonly T[]>(lists).map(([name, items]) => [name, deck(items)])) as Record<
      K,
      Deck<T>
    >
  return {
    talks: talks.map(deck),
    chores: chores.map(deck),
    approaches: deck(approaches),
    victories: deck(victories),
    defeats: deck(defeats),
    farewells: deck(farewells),
    verdicts: decks(verdicts),
    products: decks(products),
    titles: decks(jobTitles),
    dueDays: deck(dueDays),
  }
}

/** A text with the words that its `{names}` stand for. */
export function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name]!)
}
