/** A task: its title and description. `{first}`, `{organization}`, `{product}` and so on are filled in. */
export type Chore = readonly [title: string, description: string]

/** What is to be done in each open stage, in the order of the pipeline. */
export const chores: readonly (readonly Chore[])[] = [
  [
    ['Call {first} about the quantity', 'Ask who decides and when the {product} are needed.'],
    ['Send the catalogue', 'With the price list for {product} and the list of allergens.'],
    ['Find out the budget', 'And whether {organization} already has a supplier.'],
    ['Arrange a first meeting', 'Half an hour in {city} or by video, {first} plus purchasing.'],
    ['Research {organization}', 'Number of employees, sites, last year’s gifts.'],
    ['Qualify the request', 'Quantity, date, delivery address. Close it if it is below 20 pieces.'],
  ],
  [
    ['Send samples to {city}', 'Two variants of the {product}, with a printed card.'],
    ['Prepare the offer', '{pieces} {product}, delivery in {month}.'],
    ['Ask the kitchen about the vegan variant', 'For about a tenth of {pieces} pieces.'],
    ['Call {first} about the samples', 'Which variant, which ribbon, how many cards.'],
    ['Calculate the freight', 'One pallet or two to {city}, before nine in the morning.'],
    ['Ask for the logo', 'Vector file, for the ribbon and the cards.'],
  ],
  [
    ['Follow up on the offer', 'Ask {first} whether it has been discussed, and what is missing.'],
    ['Call {first} about the offer', '{value} for {pieces} pieces. Mention the free cards.'],
    ['Send the cheaper variant', 'Without wine, about a tenth less.'],
    ['Get a reference for {organization}', 'A customer from the same industry who agrees to a call.'],
    ['Reserve the ingredients', 'Enough for {pieces} {product}, until the offer ends.'],
    ['Check the delivery date', 'With the warehouse, before {first} asks again.'],
  ],
  [
    ['Send the contract', '{value}, payment within 30 days.'],
    ['Check the changes to the contract', 'Penalty for late delivery and return of damaged pallets.'],
    ['Call {first} about the signature', 'Production needs it three weeks before delivery.'],
    ['Decide on the discount', 'Three percent at most. Talk to Ada first.'],
    ['Book production for {pieces} pieces', 'Provisional until the contract is signed.'],
  ],
]

/** What is to be done when a deal is won, and after the delivery. */
export const confirmation: Chore = [
  'Confirm the order to {first}',
  '{pieces} {product}, delivery to {city} in {month}.',
]
export const feedback: Chore = ['Ask {first} for feedback', 'How were the {product}? Ask for a rating and a reference.']

/** What is to be done for organizations without a deal. */
export const approaches: readonly Chore[] = [
  ['Call {first} for the first time', 'Ask about gifts for staff and clients, and who decides.'],
  ['Send {first} a sample box', 'With the catalogue and a handwritten card.'],
]
