def test_it_greets_back(nao):
    nao.run("behavior_1/behavior.xar")
    nao.hear("hello")
    assert nao.said[-1] == "Hello to you!"
