/** What the demo's company sells: gift hampers and boxes for other companies. */
export interface Product {
  title: string
  /** The plural, inside a sentence. */
  name: string
  pieces: readonly [min: number, max: number]
  price: readonly [min: number, max: number]
  /** When they must be delivered; by default some weeks after the order. */
  month?: string
}

/** Until Easter, until the middle of August, and from then on. */
export type Season = 'spring' | 'summer' | 'autumn'

const always: readonly Product[] = [
  { title: 'Welcome boxes for new staff', name: 'welcome boxes', pieces: [30, 180], price: [34, 58] },
  { title: 'Thank-you boxes for clients', name: 'thank-you boxes', pieces: [60, 350], price: [29, 64] },
  { title: 'Anniversary gift boxes', name: 'anniversary boxes', pieces: [40, 220], price: [45, 90] },
]

export const products: Readonly<Record<Season, readonly Product[]>> = {
  spring: [
    { title: 'Easter baskets', name: 'Easter baskets', pieces: [50, 320], price: [24, 42], month: 'March' },
    { title: 'Trade fair gift bags', name: 'gift bags', pieces: [200, 900], price: [9, 18] },
    ...always,
  ],
  summer: [
    { title: 'Summer party hampers', name: 'summer hampers', pieces: [60, 400], price: [32, 55] },
    { title: 'Picnic baskets', name: 'picnic baskets', pieces: [25, 140], price: [48, 85] },
    ...always,
  ],
  autumn: [
    {
      title: 'Christmas hampers 2026',
      name: 'Christmas hampers',
      pieces: [80, 620],
      price: [38, 78],
      month: 'December',
    },
    {
      title: 'Christmas hampers for clients',
      name: 'Christmas hampers',
      pieces: [60, 340],
      price: [49, 95],
      month: 'December',
    },
    { title: 'Advent calendars', name: 'Advent calendars', pieces: [100, 800], price: [14, 26], month: 'November' },
    {
      title: 'New Year gifts for clients',
      name: 'New Year boxes',
      pieces: [50, 260],
      price: [35, 70],
      month: 'December',
    },
    { title: 'Welcome boxes, yearly order', name: 'welcome boxes', pieces: [60, 240], price: [34, 58] },
  ],
}
