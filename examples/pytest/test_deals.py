import json
from urllib.request import Request, urlopen


def call(crm, method, path, body=None):
    headers = {"Authorization": f"Bearer {crm['key']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(crm["url"] + path, data, headers, method=method)) as response:
        return json.load(response)


def test_a_deal_is_in_the_first_stage(sandbox):
    fork = call(sandbox, "POST", "/api-v1-sandbox/forks", {"from": "empty"})["data"]
    crm = {"url": sandbox["url"], "key": fork["key"]}

    call(crm, "POST", "/api-v1-deals", {"title": "Christmas hampers"})

    [deal] = call(crm, "GET", "/api-v1-deals?include=stage")["data"]
    assert deal["stage"]["name"] == "Lead"
