"""448 everyday words of five different letters, in alphabetical order, for tests of the engine."""

from __future__ import absolute_import, division, print_function, unicode_literals

_LISTED = """
about above actor adopt adult after agent alien alone along alter among angel angle angry apron arise aside bacon
badge baker basic beach beard beast began begin being below bench birth black blade blame blank blast blaze blend
blind block bloke blown board boast bonus brain brake brand brave bread break brick bride brief bring broad broke
brown brush build built bunch burst cabin cable camel candy canoe cargo carol carve caste chain chair chalk charm
chart chase cheap chest chief child china choir chunk cigar claim clash clean clear clerk climb cloak close cloth
cloud clown coast cobra coral could count court cover crash cream crime crowd crown cruel curve daily dairy dance
death delay depth devil diary dirty doing doubt dozen draft drain dream drink drive drone early earth eight elbow
empty enjoy entry equal exact exist extra fable faith false fancy favor feast field fight final first flame flash
flesh float flour fluid focus force forge forty found frame fresh front frost fruit ghost giant glide gloat globe
glory grace grade grain grand grape graph great grind group grove guard guest guide habit heart heavy hinge honey
horse hotel house human ideal image index input irony joint joker judge juice knife labor large laser later laugh
learn least lemon light limbs lived logic lucky lunar lunch magic major maker maple march match maybe meant medal
mercy merit metal might minor model money month moral motel mount mouse mouth movie music naive nasty night noise
north novel nurse ocean olive opera orbit organ other ought ounce paint panel party patch pause peach pearl penal
phone piano pilot place plain plane plant plate point polar pound power price pride prime print prize proud prune
query quest quick quiet quilt quite quote radio raise ranch range rapid ratio reach ready reign relax rhyme ridge
rifle right rinse roast robin rough round route royal sauce scale scare scent scope score scorn scout shade shake
shame shape share sharp shelf shift shine shirt shock shore short shout shown shrub sight since skate slate slave
slice slide slope smart smile smoke snail snake solar solid solve sound south space spade spare spark speak spent
spice spike spine split spoke sport spray squad stage stain stake stale stare steal steam stern stone storm story
stove style sugar suite swamp swift sword table tiger tired today topic torch touch tough towel tower trace track
trade trail train tramp trend trial tribe trick truck truly trunk twice ultra uncle under unite urban usage usher
value vapor video virus vital vocal voice wagon waist waste watch water weigh whale wheat while white whole width
woman world worth would wound write wrong yacht young youth zebra
"""
WORDS = tuple(_LISTED.split())
