/** An activity: its type, subject and description. `{first}`, `{organization}`, `{product}` and so on are filled in. */
export type Talk = readonly [type: 'call' | 'email' | 'meeting' | 'note', subject: string, description: string]

/** How an organization was found. */
export const introductions: Readonly<Record<string, Talk>> = {
  referral: [
    'call',
    'Introduced by a customer',
    '{first} got our name from another customer and asked for the catalogue.',
  ],
  'trade fair': [
    'meeting',
    'Met at the gift fair',
    '{first} stopped at our stand, took two sample boxes and left a card.',
  ],
  website: [
    'email',
    'Request from the website',
    '{first} used the contact form: prices, minimum quantity, delivery to {city}.',
  ],
  'cold call': [
    'call',
    'First call',
    'Reached {first} at the second attempt. Open to a change of supplier, wants the catalogue.',
  ],
}

/** What is said in each open stage, in the order of the pipeline. */
export const talks: readonly (readonly Talk[])[] = [
  [
    ['call', 'First ideas', 'About {pieces} {product}, needed in {month}. {first} has no fixed budget yet.'],
    ['email', 'Catalogue and price list sent', 'Sent {first} the catalogue and the price list for {product}.'],
    [
      'call',
      'Short call about quantities',
      '{first} thinks of {pieces} pieces and has to ask the other departments first.',
    ],
    ['email', 'Asked for a callback', '{first} is interested in {product} and asks for a call after the team meeting.'],
    ['note', 'Background', '{organization} ordered from a local shop last year and was not happy with the packing.'],
    ['call', 'Who decides', '{first} prepares the order, the board signs everything above 5,000.'],
    [
      'email',
      'Question about allergens',
      '{first} wants a list of the ingredients before going further with the {product}.',
    ],
    ['meeting', 'Coffee in {city}', 'Half an hour with {first}. They want {product} with their logo on the ribbon.'],
    ['call', 'Timing', 'Everything must be at {organization} in {month}. {first} prefers one delivery.'],
    ['note', 'Competition', '{first} is also talking to a wine merchant. Price matters less than delivery on time.'],
  ],
  [
    [
      'call',
      'Budget confirmed',
      'The budget for {pieces} {product} is approved. {first} expects our offer in writing.',
    ],
    ['meeting', 'Tasting', 'Showed {first} three variants. The one with the olive oil and the dark chocolate won.'],
    ['email', 'Samples on their way', 'Two samples sent to {city}. {first} shows them to the management on Thursday.'],
    ['call', 'Feedback on the samples', '{first} likes the box, but wants less paper and a handwritten card.'],
    [
      'meeting',
      'Video call with purchasing',
      'Went through quantities and packing. {pieces} pieces, two delivery addresses.',
    ],
    ['email', 'Logo and colours', '{first} sent the logo as a vector file. The ribbon should be dark blue.'],
    ['note', 'Requirements', 'No alcohol, vegetarian, plastic-free packing. {pieces} pieces in {month}.'],
    [
      'call',
      'Vegan option',
      'About a tenth of the {pieces} boxes should be vegan. Checked with the kitchen: possible.',
    ],
    ['email', 'Supplier form', 'Filled in the supplier form of {organization} and returned it to {first}.'],
    [
      'meeting',
      'Visit in {city}',
      'Saw where the {product} will be handed out. A pallet fits through the side entrance.',
    ],
  ],
  [
    ['email', 'Offer sent', 'Offer for {pieces} {product}, {value} in total, valid for 30 days.'],
    ['call', 'Went through the offer', '{first} understands the price and asks whether delivery is included. It is.'],
    ['email', 'Second variant', 'Sent a cheaper variant without the wine, next to the offer for {value}.'],
    [
      'meeting',
      'Offer presented',
      'Presented the offer to {first} and a colleague from finance. Good questions, no objections.',
    ],
    ['call', 'Reminder', '{first} has not shown the offer to the management yet and promises it for this week.'],
    ['email', 'Question about payment', '{first} asks for payment within 30 days instead of in advance. Agreed.'],
    ['note', 'Their position', 'Our offer of {value} is within the budget. The other supplier cannot print the cards.'],
    ['call', 'Quantity may change', 'It may be some more than {pieces} pieces. The price per piece stays the same.'],
    ['email', 'Delivery plan', 'Sent {first} the delivery plan: one truck to {city}, arrival before nine.'],
    [
      'meeting',
      'Samples with the final card',
      'Brought the printed card. {first} found a typo, corrected on the spot.',
    ],
  ],
  [
    ['call', 'Discount', '{first} asks for five percent. Offered three and free cards.'],
    ['email', 'Contract sent', 'Contract for {value} sent to {first} for signature.'],
    [
      'meeting',
      'Terms with purchasing',
      'Agreed on the price and delivery in {month}. Open: the penalty for late delivery.',
    ],
    ['call', 'Waiting for the signature', 'Both signatories are travelling and sign next week, says {first}.'],
    [
      'email',
      'Changes to the contract',
      '{first} sent two changes: delivery to the loading bay, invoice by department.',
    ],
    ['note', 'What is left', 'Price and quantity are settled at {value}. Legal still reads the terms of delivery.'],
    ['call', 'Split delivery', 'Half of the {pieces} pieces go to a second site. We carry the extra freight.'],
    [
      'meeting',
      'Last questions',
      '{first} wants to be sure that the {product} can be returned if a pallet is damaged.',
    ],
  ],
]

/** Why customers stop ordering. */
export const farewells: readonly string[] = [
  '{first} says that they have a new supplier since the last delivery. No orders planned.',
  'Their office in {city} is being closed. {first} does not expect further orders.',
  'No order since {month}, and no interest in the autumn catalogue.',
  '{first} was polite but clear: after the trouble with the delivery they buy elsewhere.',
]

/** Why deals are won. */
export const victories: readonly string[] = [
  'Our samples decided it: the management of {organization} tried both boxes and chose ours.',
  'We could promise delivery in {month} and the other supplier could not.',
  'Price per piece was equal. The printed cards with their logo made the difference.',
  '{first} had good references from two of our customers and did not ask anyone else.',
  'We accepted payment within 30 days, which their old supplier refused.',
  'Plastic-free packing was a must for {organization}, and nobody else offered it.',
  'Three percent discount for {pieces} pieces, then it was signed on the same day.',
  'The vegan variant won over the works council. {first} fought for us.',
  'We answered within a day each time. {first} said that this was the reason.',
  'They had heard from others that our boxes arrive undamaged.',
  'One contact, one delivery, one invoice: exactly what {first} wanted.',
  'The visit in {city} paid off. They liked that we looked at the loading bay first.',
]

/** Why a deal is lost: a word for reports, and what happened. */
export interface Defeat {
  readonly reason: string
  readonly note: string
}

export const defeats: readonly Defeat[] = [
  { reason: 'price', note: 'A wholesaler offered {product} for a fifth less. We could not follow.' },
  { reason: 'budget', note: 'The budget for gifts was cut. {first} wants to talk again next year.' },
  { reason: 'timing', note: 'They needed delivery two weeks before we could promise it.' },
  { reason: 'competitor', note: 'They stay with their old supplier, who matched our price after our offer.' },
  { reason: 'no decision', note: '{organization} could not agree on a gift and gives vouchers instead.' },
  { reason: 'contact left', note: '{first} moved to another position and nobody took the project over.' },
  { reason: 'requirements', note: 'They wanted fresh products with cooling, which we do not deliver.' },
  { reason: 'price', note: 'The management set a limit per person that is below our price.' },
  { reason: 'no reply', note: 'Four calls and three emails without an answer since the offer. Closed.' },
  { reason: 'budget', note: 'They donate the money this year. {first} was sorry, and so are we.' },
]

/** What customers say after the delivery, by the number of stars. */
export const verdicts: Readonly<Record<number, readonly string[]>> = {
  2: [
    'Twelve boxes arrived damaged and the replacement took nine days.',
    'Delivered two days late, after the event. We refunded the freight.',
  ],
  3: [
    'Content was good, but the cards had the old logo.',
    'The boxes were fine. Nobody could tell {first} when the truck would come.',
    'Some jars had leaked. Replaced within two days, so no hard feelings.',
    'On time, though the driver refused to unload. {first} was not amused.',
  ],
  4: [
    'Very good boxes. The invoice had to be corrected once.',
    'Staff liked them a lot. Two boxes were missing and came the next day.',
    '{first} would order again, with a little less packing paper.',
    'Good quality. The delivery window of four hours was too long for them.',
  ],
  5: [
    'Everything on time and undamaged. {first} sent a photo of the party.',
    'Several of their clients wrote to say thank you.',
    'The best gift so far, says {first}. Wants an offer for the next season.',
    'Perfect. The handwritten cards were the talk of the day.',
    'No complaints from {pieces} recipients.',
    '{first} recommends us to a partner company.',
  ],
}
